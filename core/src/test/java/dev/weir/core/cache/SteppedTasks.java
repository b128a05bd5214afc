package dev.weir.core.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Threads of which one runs at a time, chosen by the test, from one place where they wait to the next. */
final class SteppedTasks implements Waits {
    private final LongSupplier nowNanos;
    private final Semaphore stepEnded = new Semaphore(0);
    private final List<Task> alive = new ArrayList<>();
    private @Nullable Task running;

    interface Body {
        void run() throws Exception;
    }

    static final class Task {
        private final String node;
        private final Semaphore go = new Semaphore(0);
        private volatile boolean ended;
        private volatile @Nullable Throwable failure;

        private Task(String node) {
            this.node = node;
        }

        String node() {
            return node;
        }
    }

    SteppedTasks(LongSupplier nowNanos) {
        this.nowNanos = nowNanos;
    }

    void start(String node, Body body) {
        Task task = new Task(node);
        alive.add(task);
        Thread.ofVirtual().start(() -> {
            task.go.acquireUninterruptibly();
            try {
                body.run();
            } catch (Exception | AssertionError failed) {
                task.failure = failed;
            }
            task.ended = true;
            stepEnded.release();
        });
    }

    List<Task> alive() {
        return alive;
    }

    /** Lets a task run to its next waiting place. */
    void step(Task task) {
        running = task;
        task.go.release();
        stepEnded.acquireUninterruptibly();
        running = null;
        if (task.ended) {
            alive.remove(task);
            if (task.failure != null) {
                throw new AssertionError(task.failure.getMessage(), task.failure);
            }
        }
    }

    /** A place where another one may run. */
    void pass() {
        Task self = running;
        if (self == null) {
            throw new IllegalStateException("only a task may wait");
        }
        stepEnded.release();
        self.go.acquireUninterruptibly();
    }

    @Override
    public <T extends @Nullable Object> T get(CompletableFuture<T> future, long timeoutNanos)
            throws ExecutionException, TimeoutException, InterruptedException {
        long deadline = nowNanos.getAsLong() + timeoutNanos;
        while (!future.isDone()) {
            if (nowNanos.getAsLong() - deadline >= 0) {
                throw new TimeoutException();
            }
            pass();
        }
        return future.get();
    }

    @Override
    public void pause(long nanos) {
        long until = nowNanos.getAsLong() + nanos;
        while (nowNanos.getAsLong() - until < 0) {
            pass();
        }
    }
}
