package dev.weir.core.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The only places where a caller's thread waits; tests put a scheduler of their own here. */
interface Waits {

    <T extends @Nullable Object> T get(CompletableFuture<T> future, long timeoutNanos)
            throws ExecutionException, TimeoutException, InterruptedException;

    void pause(long nanos) throws InterruptedException;

    static Waits blocking() {
        return new Waits() {
            @Override
            public <T extends @Nullable Object> T get(CompletableFuture<T> future, long timeoutNanos)
                    throws ExecutionException, TimeoutException, InterruptedException {
                return future.get(timeoutNanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void pause(long nanos) throws InterruptedException {
                TimeUnit.NANOSECONDS.sleep(nanos);
            }
        };
    }
}
