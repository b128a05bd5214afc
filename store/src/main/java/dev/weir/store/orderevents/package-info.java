/** What others hear of an order: one event for each change of its status, on the topic order-events, in order per order. */
@NullMarked
package dev.weir.store.orderevents;

import org.jspecify.annotations.NullMarked;
