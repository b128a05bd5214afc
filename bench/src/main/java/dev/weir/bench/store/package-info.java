/** The store's two forms against each other: what a read costs, and how many there can be. */
@NullMarked
package dev.weir.bench.store;

import org.jspecify.annotations.NullMarked;
