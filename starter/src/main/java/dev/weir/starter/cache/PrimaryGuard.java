package dev.weir.starter.cache;

import dev.weir.core.cache.LoadGuard;
import dev.weir.core.route.OpenReads;
import dev.weir.core.route.PrimaryScope;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The router's scope for the primary, where it can reach a load; without a router all loads read the primary. */
final class PrimaryGuard implements LoadGuard {

    private static final ThreadLocal<Boolean> OUT_OF_REACH = ThreadLocal.withInitial(() -> false);

    /** Calls with loads that may run on other threads, where the scope does not hold. */
    static <T extends @Nullable Object> T outOfReach(Supplier<T> reads) {
        OUT_OF_REACH.set(true);
        try {
            return reads.get();
        } finally {
            OUT_OF_REACH.remove();
        }
    }

    @Override
    public <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception {
        return PrimaryScope.call(load);
    }

    @Override
    public boolean canBeFresh() {
        return !OUT_OF_REACH.get() && !OpenReads.onReplica();
    }
}
