package dev.weir.core.cache;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Runs a load that must not read a replica, because the key was invalidated a moment ago and a replica may not have the
 * new row yet. A router implements it with its scope for the primary.
 */
@FunctionalInterface
public interface LoadGuard {

    /** Runs the load on the calling thread and hands back its value or exception as they are. */
    <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception;

    /**
     * Whether {@link #fresh} keeps loads of the calling thread from the replicas: not where an open transaction has its
     * connection to one already, say. What is loaded then goes to the caller alone and is kept nowhere. Must not throw.
     */
    default boolean canBeFresh() {
        return true;
    }

    /** For a service without replicas. */
    static LoadGuard none() {
        return new LoadGuard() {
            @Override
            public <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception {
                return load.call();
            }
        };
    }
}
