/** Watches that run beside a service in production: what pins virtual threads to their carriers. */
@NullMarked
package dev.weir.core.watch;

import org.jspecify.annotations.NullMarked;
