package dev.weir.starter.defer;

import dev.weir.core.outbox.Outcome;
import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.outbox.Target;
import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Begins no batch while the service needs its time for requests, for so long at most: under pressure that lasts the work then trickles
 * instead of standing still. A batch that was held and given up is postponed and stays in its table.
 */
final class HoldingTarget implements Target {

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Target target;
    private final BooleanSupplier underPressure;
    private final long holdNanos;
    private final NanoClock clock;

    HoldingTarget(Target target, BooleanSupplier underPressure, Duration holdFor, NanoClock clock) {
        this.target = target;
        this.underPressure = underPressure;
        this.holdNanos = holdFor.toNanos();
        this.clock = clock;
    }

    @Override
    public Batch begin(List<StoredEvent> events) {
        return new Held(events);
    }

    @Override
    public boolean overlaps() {
        return target.overlaps();
    }

    @Override
    public void close() {
        target.close();
    }

    /** Of one thread, the relay's. */
    private final class Held implements Batch {
        private final List<StoredEvent> events;
        private final long sinceNanos = clock.nanoTime();
        private @Nullable Batch begun;

        Held(List<StoredEvent> events) {
            this.events = events;
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            long fromNanos = clock.nanoTime();
            Batch running = begun;
            while (running == null) {
                if (held()) {
                    long leftNanos = atMost.toNanos() - (clock.nanoTime() - fromNanos);
                    if (leftNanos <= 0) {
                        return false;
                    }
                    pause(Math.min(LOOK_EVERY_NANOS, leftNanos));
                } else {
                    running = target.begin(events);
                    begun = running;
                }
            }
            return running.await(Duration.ofNanos(Math.max(0, atMost.toNanos() - (clock.nanoTime() - fromNanos))));
        }

        private boolean held() {
            return clock.nanoTime() - sinceNanos < holdNanos && underPressure.getAsBoolean();
        }

        private static void pause(long nanos) throws InterruptedException {
            var ignored = new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void abort() {
            Batch running = begun;
            if (running != null) {
                running.abort();
            }
        }

        @Override
        public List<Outcome> outcomes() {
            Batch running = begun;
            return running == null
                    ? Collections.nCopies(events.size(), new Outcome.Postponed("the service is under pressure"))
                    : running.outcomes();
        }
    }
}
