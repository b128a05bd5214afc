/** Runs of the check against services whose capacity is known. */
@NullMarked
package dev.weir.bench.check;

import org.jspecify.annotations.NullMarked;
