package dev.weir.core.route;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * "Read from the primary": read-only transactions that start inside take the primary. Bound to the calling thread,
 * platform or virtual, and not inherited by threads started inside. Scopes nest.
 */
public final class PrimaryScope {

    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private PrimaryScope() {}

    /** Calls with reads on the primary; what it throws comes through unchanged. */
    public static <T extends @Nullable Object> T call(Callable<T> task) throws Exception {
        enter();
        try {
            return task.call();
        } finally {
            leave();
        }
    }

    /** Runs with reads on the primary. */
    public static void run(Runnable task) {
        enter();
        try {
            task.run();
        } finally {
            leave();
        }
    }

    /** Whether the calling thread is inside a scope. */
    public static boolean isActive() {
        return DEPTH.get() > 0;
    }

    private static void enter() {
        DEPTH.set(DEPTH.get() + 1);
    }

    private static void leave() {
        int depth = DEPTH.get() - 1;
        if (depth == 0) {
            DEPTH.remove();
        } else {
            DEPTH.set(depth);
        }
    }
}
