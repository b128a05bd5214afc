/** Watches that run beside a service in production: where the time of its requests goes, and what pins virtual threads to their carriers. */
@NullMarked
package dev.weir.core.watch;

import org.jspecify.annotations.NullMarked;
