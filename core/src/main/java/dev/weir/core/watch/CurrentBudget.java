package dev.weir.core.watch;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The budget of the request that the running thread works for.
 *
 * <p>It goes along by itself to virtual threads that a thread of the request makes, which are made for one task. A platform
 * thread made meanwhile may go into a pool and serve others, so it inherits nothing; nor does a task that is handed to a pool, unless
 * {@link #carry(Runnable)} takes the budget along. That a thread was made is counted in both cases: making it is what hands down.
 */
public final class CurrentBudget {

    /** A {@link Budget} where a thread was given one, {@link Inherited} where it was made by one that had. */
    private static final InheritableThreadLocal<@Nullable Object> HOLDER = new InheritableThreadLocal<>() {
        @Override
        protected @Nullable Object childValue(@Nullable Object ofParent) {
            return handedDown(ofParent);
        }
    };

    /** Puts back what was current before. Closed on the thread that made it. */
    public static final class Scope implements AutoCloseable {

        private final @Nullable Object before;

        private Scope(@Nullable Object before) {
            this.before = before;
        }

        @Override
        public void close() {
            if (before == null) {
                HOLDER.remove();
            } else {
                HOLDER.set(before);
            }
        }
    }

    private CurrentBudget() {}

    /** The budget of the request, while it lasts; null outside of one. */
    public static @Nullable Budget get() {
        Object here = HOLDER.get();
        if (here == null) {
            return null;
        }
        Budget budget = here instanceof Budget own ? own : ofMaker((Inherited) here);
        return budget == null || budget.isEnded() ? null : budget;
    }

    private static @Nullable Budget ofMaker(Inherited inherited) {
        return Thread.currentThread().isVirtual() ? inherited.budget() : null;
    }

    private static @Nullable Object handedDown(@Nullable Object ofParent) {
        if (ofParent == null) {
            return null;
        }
        Budget budget = get();
        if (budget == null) {
            return null;
        }
        budget.thread();
        return budget.inherited();
    }

    /** The running thread works for this request until the scope is closed. */
    public static Scope enter(Budget budget) {
        Scope scope = new Scope(HOLDER.get());
        HOLDER.set(budget);
        return scope;
    }

    /** The task with the budget that is current now; the task itself where there is none. */
    public static Runnable carry(Runnable task) {
        Budget budget = get();
        if (budget == null) {
            return task;
        }
        return () -> {
            Scope scope = enter(budget);
            try {
                task.run();
            } finally {
                scope.close();
            }
        };
    }

    /** The task with the budget that is current now; the task itself where there is none. */
    public static <T extends @Nullable Object> Callable<T> carry(Callable<T> task) {
        Budget budget = get();
        if (budget == null) {
            return task;
        }
        return () -> {
            Scope scope = enter(budget);
            try {
                return task.call();
            } finally {
                scope.close();
            }
        };
    }
}
