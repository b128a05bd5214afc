package dev.weir.starter.cache;

import dev.weir.core.cache.LoadGuard;
import dev.weir.core.route.OpenReads;
import dev.weir.core.route.PrimaryScope;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The router's scope for the primary; without a router all loads read the primary. */
final class PrimaryGuard implements LoadGuard {

    @Override
    public <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception {
        return PrimaryScope.call(load);
    }

    @Override
    public boolean canBeFresh() {
        return !OpenReads.onReplica();
    }
}
