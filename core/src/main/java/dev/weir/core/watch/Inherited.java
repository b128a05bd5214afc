package dev.weir.core.watch;

import org.jspecify.annotations.Nullable;

/**
 * What a thread has of the request that made it. It lets go of the budget at the end of the request: a thread that goes into a pool
 * keeps this object for as long as it lives.
 */
final class Inherited {

    private volatile @Nullable Budget budget;

    Inherited(Budget budget) {
        this.budget = budget;
    }

    void let() {
        budget = null;
    }

    @Nullable
    Budget budget() {
        return budget;
    }
}
