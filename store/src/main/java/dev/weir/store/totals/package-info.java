/** What was sold each day: one row a day that every paid order adds to, in its own transaction or later in batches. */
@NullMarked
package dev.weir.store.totals;

import org.jspecify.annotations.NullMarked;
