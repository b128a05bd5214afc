/** {@code weir.watch}: where the time of each request goes, and what is logged of it. */
@NullMarked
package dev.weir.starter.watch;

import org.jspecify.annotations.NullMarked;
