package dev.weir.store.catalog;

/**
 * A product's price or stock was changed in the transaction that is under way, or has just been where there is none.
 *
 * @param id the product's
 */
record ProductChanged(long id) {}
