package dev.weir.bench.outbox;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** When each event was committed and when it was first acknowledged. */
final class Lags {
    private final AtomicLongArray committedNanos;
    private final AtomicLongArray acknowledgedNanos;
    private final CountDownLatch open;

    Lags(int events) {
        committedNanos = new AtomicLongArray(events);
        acknowledgedNanos = new AtomicLongArray(events);
        open = new CountDownLatch(events);
    }

    void committed(int number) {
        committedNanos.set(number, System.nanoTime());
    }

    void acknowledged(int number) {
        if (acknowledgedNanos.compareAndSet(number, 0, System.nanoTime())) {
            open.countDown();
        }
    }

    boolean await(long seconds) throws InterruptedException {
        return open.await(seconds, TimeUnit.SECONDS);
    }

    long missing() {
        return open.getCount();
    }

    /** From the commit to the acknowledgement; an event may be acknowledged before its committer goes on. */
    double p99Millis() {
        long[] lags = new long[committedNanos.length()];
        for (int i = 0; i < lags.length; i++) {
            lags[i] = Math.max(0, acknowledgedNanos.get(i) - committedNanos.get(i));
        }
        Arrays.sort(lags);
        return lags[(int) Math.min(lags.length - 1L, Math.round(lags.length * 0.99))] / 1e6;
    }
}
