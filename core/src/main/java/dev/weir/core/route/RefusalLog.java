package dev.weir.core.route;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of refused reads, at most once in a while: where one is refused there are many, and each caller has its own sentence. */
final class RefusalLog {

    private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);
    private static final Duration GAP = Duration.ofSeconds(10);

    private final AtomicLong toldNanos;
    private final AtomicLong untold = new AtomicLong();

    RefusalLog(long nowNanos) {
        toldNanos = new AtomicLong(nowNanos - GAP.toNanos());
    }

    void refused(String sentence, long nowNanos) {
        untold.incrementAndGet();
        long last = toldNanos.get();
        if (nowNanos - last >= GAP.toNanos() && toldNanos.compareAndSet(last, nowNanos)) {
            log.warn(
                    "weir.route: reads are refused, {} since this was last told, which is at most every {} s. The last one: {}",
                    untold.getAndSet(0),
                    GAP.toSeconds(),
                    sentence);
        }
    }
}
