package dev.weir.store.gateway;

import dev.weir.store.gateway.CallbackSlots.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells clients what became of their messages: signed, at least once, tried again with growing pauses, then parked.
 *
 * <p>One thread takes due callbacks from the table and writes down how they ended; each call has a virtual thread. A callback taken is
 * leased: one whose process dies is due again after that. Clients and their servers have their turns and get what {@link CallbackSlots}
 * leaves them; what is more waits in the table, so those that hang hold up nobody else's.
 */
final class CallbackSender implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CallbackSender.class);
    private static final int TURNS_AT_ONCE = 64;
    private static final int MOST_IN_A_TURN = 4;
    private static final Turn BEGINNING = new Turn("", "");
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration RESULTS = Duration.ofMillis(20);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);
    private static final int MOST_DOUBLINGS = 30;

    /** Calls at once. */
    static final int SLOTS = 256;

    private record Result(CallbackTable.Due due, @Nullable String failure) {}

    private final CallbackTable table;
    private final CallbackClient client;
    private final GatewaySettings.Callbacks settings;
    private final RandomGenerator random;
    private final Semaphore wake = new Semaphore(0);
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final CallbackSlots slots = new CallbackSlots(SLOTS);
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final Thread thread =
            Thread.ofPlatform().name("store-gateway-callbacks").daemon(true).unstarted(this::run);
    private Turn last = BEGINNING;
    private int claimedInRound;
    private boolean warned;
    private volatile boolean closing;

    CallbackSender(
            CallbackTable table, CallbackClient client, GatewaySettings.Callbacks settings, RandomGenerator random) {
        this.table = table;
        this.client = client;
        this.settings = settings;
        this.random = random;
    }

    void start() {
        thread.start();
    }

    /** There may be new ones; cheap. */
    void wake() {
        if (wake.availablePermits() == 0) {
            wake.release();
        }
    }

    private void run() {
        try {
            while (!closing || slots.taken() > 0) {
                step();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void step() throws InterruptedException {
        try {
            writeResults();
            if (!closing) {
                claim();
            }
            warned = false;
            if (closing || last.equals(BEGINNING)) {
                if (claimedInRound == 0) {
                    await();
                }
                claimedInRound = 0;
            }
        } catch (RuntimeException trouble) {
            if (!warned) {
                log.warn("Callbacks cannot be delivered at present: {}", trouble.toString());
                warned = true;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
    }

    /** Until a call has ended, or, with none under way, until there may be something due. */
    private void await() throws InterruptedException {
        if (slots.taken() > 0) {
            Result result = results.poll(RESULTS.toMillis(), TimeUnit.MILLISECONDS);
            if (result != null) {
                results.add(result);
            }
        } else if (wake.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            wake.drainPermits();
        }
    }

    /** The next turns; after the last one the first follows. */
    private void claim() {
        List<Turn> turns = table.turns(last, TURNS_AT_ONCE);
        last = turns.size() < TURNS_AT_ONCE ? BEGINNING : turns.getLast();
        Map<Turn, Integer> wanted = new LinkedHashMap<>();
        for (Turn turn : turns) {
            int room = Math.min(MOST_IN_A_TURN, slots.room(turn));
            if (room > 0) {
                wanted.put(turn, room);
                slots.add(turn, room);
            }
        }
        try {
            List<CallbackTable.Due> due = wanted.isEmpty() ? List.of() : table.claim(wanted, LEASE);
            claimedInRound += due.size();
            due.forEach(each -> {
                wanted.merge(each.turn(), -1, Integer::sum);
                Thread.ofVirtual()
                        .name("store-gateway-callback")
                        .start(() -> results.add(new Result(each, client.call(each))));
            });
        } finally {
            wanted.forEach((turn, unused) -> slots.add(turn, -unused));
        }
    }

    private void writeResults() {
        List<Result> ended = new ArrayList<>();
        results.drainTo(ended);
        List<UUID> confirmed = new ArrayList<>();
        for (Result result : ended) {
            slots.add(result.due.turn(), -1);
            if (result.failure == null) {
                confirmed.add(result.due.messageId());
            }
        }
        // What cannot be written is due again when its lease ends.
        if (!confirmed.isEmpty()) {
            table.delivered(confirmed);
            delivered.add(confirmed.size());
        }
        ended.forEach(this::writeFailure);
    }

    private void writeFailure(Result result) {
        String failure = result.failure;
        if (failure == null) {
            return;
        }
        CallbackTable.Due due = result.due;
        failures.increment();
        if (due.attempts() >= settings.attempts()) {
            table.park(due.messageId(), failure);
            parked.increment();
            log.error(
                    "The callback of message {} is parked after {} attempts: {}",
                    due.messageId(),
                    due.attempts(),
                    failure);
        } else {
            table.retry(due.messageId(), pause(due.attempts()), failure);
        }
    }

    private Duration pause(int attempts) {
        long first = settings.retryBackoff().toMillis();
        long most = settings.maxRetryBackoff().toMillis();
        int times = attempts - 1;
        long pause = times >= MOST_DOUBLINGS ? most : Math.min(most, first << times);
        return Duration.ofMillis(pause / 2 + random.nextLong(pause / 2 + 1));
    }

    /** What it has counted since the start. */
    record Stats(long delivered, long failures, long parked) {}

    Stats stats() {
        return new Stats(delivered.sum(), failures.sum(), parked.sum());
    }

    /** Takes nothing more and, within 5 seconds, writes down how calls under way end; others are due again after their lease. */
    @Override
    public void close() {
        closing = true;
        wake();
        try {
            if (thread.isAlive() && !thread.join(CLOSE_TIME)) {
                thread.interrupt();
                thread.join(CLOSE_TIME);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
