package dev.weir.core.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Delivers to handlers of this process, by topic: keys side by side on virtual threads, each key in order, an event after the one before
 * it succeeded. A slow one holds up its key, and one of the places.
 */
public final class HandlerTarget implements Target {
    private final Map<String, EventHandler> handlers;
    private final Semaphore concurrency;

    /**
     * To these handlers, by the topic of their events.
     *
     * @param concurrency how many handlers run at once at most, 1 or more
     */
    public HandlerTarget(Map<String, ? extends EventHandler> handlers, int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("Outbox: handler-concurrency is " + concurrency
                    + "; allowed is 1 or more. Change handler-concurrency.");
        }
        this.handlers = Map.copyOf(handlers);
        this.concurrency = new Semaphore(concurrency);
    }

    @Override
    public Batch begin(List<StoredEvent> events) {
        Map<Integer, List<Integer>> byKey = new LinkedHashMap<>();
        for (int i = 0; i < events.size(); i++) {
            byKey.computeIfAbsent(events.get(i).keyHash(), key -> new ArrayList<>())
                    .add(i);
        }
        Running running = new Running(events, byKey.size());
        byKey.values().forEach(running::start);
        return running;
    }

    @Override
    public boolean overlaps() {
        return true;
    }

    @Override
    public void close() {}

    private final class Running implements Batch {
        private final List<StoredEvent> events;
        private final AtomicReferenceArray<@Nullable Outcome> outcomes;
        private final CountDownLatch keys;
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean aborted;

        Running(List<StoredEvent> events, int keys) {
            this.events = events;
            this.outcomes = new AtomicReferenceArray<>(events.size());
            this.keys = new CountDownLatch(keys);
        }

        private void start(List<Integer> inOrder) {
            threads.add(Thread.ofVirtual().name("weir-outbox-handler").start(() -> run(inOrder)));
        }

        private void run(List<Integer> inOrder) {
            try {
                concurrency.acquire();
                try {
                    runKey(inOrder);
                } finally {
                    concurrency.release();
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } finally {
                keys.countDown();
            }
        }

        private void runKey(List<Integer> inOrder) {
            for (int index : inOrder) {
                if (aborted) {
                    return;
                }
                Outcome outcome = handle(events.get(index));
                outcomes.set(index, outcome);
                if (!(outcome instanceof Outcome.Delivered)) {
                    return;
                }
            }
        }

        private Outcome handle(StoredEvent stored) {
            EventHandler handler = handlers.get(stored.event().topic());
            if (handler == null) {
                return new Outcome.Failed(
                        "No handler is registered for topic " + stored.event().topic());
            }
            try {
                handler.handle(stored.event());
                return new Outcome.Delivered();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return new Outcome.Postponed("the relay was stopped");
            } catch (Exception | Error failed) {
                // Errors too: an event whose outcome nobody knows is tried again for ever, and its key waits.
                return aborted ? new Outcome.Postponed("the relay was stopped") : new Outcome.Failed(failed.toString());
            }
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            return keys.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void abort() {
            aborted = true;
            threads.forEach(Thread::interrupt);
        }

        @Override
        public List<Outcome> outcomes() {
            List<Outcome> all = new ArrayList<>(outcomes.length());
            for (int i = 0; i < outcomes.length(); i++) {
                Outcome outcome = outcomes.get(i);
                all.add(
                        outcome == null
                                ? new Outcome.Postponed("an earlier event of its key has not succeeded")
                                : outcome);
            }
            return all;
        }
    }
}
