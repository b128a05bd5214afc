/** Products: reading, searching, changing a price, and the seed data. */
@NullMarked
package dev.weir.store.catalog;

import org.jspecify.annotations.NullMarked;
