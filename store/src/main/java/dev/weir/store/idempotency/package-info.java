/** The client's key for a request that is to be carried out once. */
@NullMarked
package dev.weir.store.idempotency;

import org.jspecify.annotations.NullMarked;
