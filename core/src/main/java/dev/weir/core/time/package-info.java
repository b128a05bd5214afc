/** Where time and randomness come from; tests bring their own. */
@NullMarked
package dev.weir.core.time;

import org.jspecify.annotations.NullMarked;
