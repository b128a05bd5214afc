package dev.weir.core.shed;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that stands until it is moved. */
final class FakeClock implements NanoClock {

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
