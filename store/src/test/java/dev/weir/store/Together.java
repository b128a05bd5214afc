package dev.weir.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Many calls at the same moment. */
public final class Together {

    private Together() {}

    /** The results of {@code count} calls that are let go at once; each gets its number, from 0. */
    public static <T> List<T> run(int count, IntFunction<T> call) throws InterruptedException, ExecutionException {
        var ready = new CountDownLatch(count);
        List<Future<T>> futures = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int number = i;
                Callable<T> task = () -> {
                    ready.countDown();
                    ready.await();
                    return call.apply(number);
                };
                futures.add(threads.submit(task));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }
}
