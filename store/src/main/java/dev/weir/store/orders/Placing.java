package dev.weir.store.orders;

import dev.weir.store.idempotency.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/** A way to place orders. */
interface Placing {

    /** Places the order, or answers what an earlier request with this key has led to. Blocks until it is paid or not. */
    Placement place(NewOrder order, @Nullable IdempotencyKey key);
}
