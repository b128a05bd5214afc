package dev.weir.store.catalog;

import java.util.List;

/**
 * One page of a search.
 *
 * @param page the number of this page, from 0
 * @param size how many products a page holds
 * @param total how many products match on all pages
 */
record ProductPage(List<Product> products, int page, int size, long total) {}
