/** The message provider's client, and the mock gateway: one endpoint for each way of waiting 50 ms. */
@NullMarked
package dev.weir.store.messages;

import org.jspecify.annotations.NullMarked;
