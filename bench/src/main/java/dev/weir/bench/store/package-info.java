/** The store's two forms against each other, and its message gateway against the truth. */
@NullMarked
package dev.weir.bench.store;

import org.jspecify.annotations.NullMarked;
