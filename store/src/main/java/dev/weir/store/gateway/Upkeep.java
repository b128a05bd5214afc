package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes on in the background. One thread keeps what is known of the queue and of the other instances fresh, so nothing in it may take long;
 * another one does what one instance does for all: it removes what is old, and puts into Kafka again what has waited for very long.
 */
final class Upkeep {

    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
    private static final long REFRESH_MILLIS = 200;
    private static final int REFRESHES_A_SECOND = 5;
    private static final Duration CLEANUP_EVERY = Duration.ofMinutes(1);
    private static final Duration CLEANUP_TIME = Duration.ofMillis(300);
    private static final int RESENT_AT_ONCE = 5_000;
    private static final Duration CLOSE_TIME = Duration.ofSeconds(1);

    /**
     * How often what is done; see {@link GatewaySettings}.
     *
     * @param limitPerSecond what the provider takes of all instances
     */
    record Settings(double limitPerSecond, Duration keep, Duration resendAfter) {}

    private final Settings settings;
    private final Instances instances;
    private final MessageTable table;
    private final Dispatcher dispatcher;
    private final QueueView view;
    private final Lease lease;
    private final Consumer<List<Outgoing>> resend;
    private final NanoClock clock;
    private final Shares shares;
    private final Thread beating =
            Thread.ofPlatform().name("store-gateway-upkeep").daemon(true).unstarted(this::beatOn);
    private final Thread cleaning =
            Thread.ofPlatform().name("store-gateway-cleanup").daemon(true).unstarted(this::cleanOn);
    private long refreshes;
    private long cleanedNanos;
    private long resentNanos;
    private volatile double othersPerSecond;
    private volatile boolean first;
    private volatile boolean closing;

    /**
     * Waits for {@link #start}.
     *
     * @param resend puts messages into Kafka, by a transaction of its own
     */
    Upkeep(
            Settings settings,
            Instances instances,
            MessageTable table,
            Dispatcher dispatcher,
            QueueView view,
            Lease lease,
            Consumer<List<Outgoing>> resend,
            NanoClock clock) {
        this.settings = settings;
        this.instances = instances;
        this.table = table;
        this.dispatcher = dispatcher;
        this.view = view;
        this.lease = lease;
        this.resend = resend;
        this.clock = clock;
        this.shares = new Shares(settings.limitPerSecond());
    }

    /** Makes this instance known to the others, and goes on. */
    void start() {
        refresh();
        beat();
        beating.start();
        cleaning.start();
    }

    private void beatOn() {
        repeat(Duration.ofMillis(REFRESH_MILLIS), () -> {
            refresh();
            refreshes++;
            if (refreshes % REFRESHES_A_SECOND == 0) {
                beat();
            }
        });
    }

    private void cleanOn() {
        cleanedNanos = clock.nanoTime();
        resentNanos = clock.nanoTime();
        repeat(Duration.ofSeconds(1), () -> {
            if (first) {
                cleanAndResend(clock.nanoTime());
            }
        });
    }

    private void cleanAndResend(long nowNanos) {
        if (nowNanos - cleanedNanos >= CLEANUP_EVERY.toNanos() && clean()) {
            cleanedNanos = nowNanos;
        }
        if (nowNanos - resentNanos >= settings.resendAfter().toNanos()) {
            resentNanos = nowNanos;
            resend(settings.resendAfter());
        }
    }

    private void repeat(Duration pause, Runnable task) {
        boolean warned = false;
        try {
            while (!closing) {
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
                try {
                    task.run();
                    warned = false;
                } catch (RuntimeException trouble) {
                    if (!warned) {
                        log.warn("The gateway's upkeep fails at present: {}", trouble.toString());
                    }
                    warned = true;
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void refresh() {
        List<MessageTable.Delay> delays = dispatcher.takeDelays();
        Map<String, Long> before = view.known();
        view.refresh(before, table.waiting());
        if (!delays.isEmpty()) {
            table.delay(delays);
        }
    }

    private void beat() {
        double demand = dispatcher.second();
        long asked = clock.nanoTime();
        Instances.Seen seen = instances.beat(dispatcher.outlook(), demand);
        boolean alone = seen.demands().isEmpty();
        lease.enter(!alone, clock.nanoTime());
        if (alone) {
            lease.alone(asked);
        }
        othersPerSecond = seen.perSecondOfOthers();
        // One that has measured: means of means would be no better, and this is only until something is measured here.
        seen.measured().stream().findFirst().ifPresent(other -> dispatcher.assume(other.way(), other.send()));
        first = seen.first();
        dispatcher.limit(shares.next(demand, seen.demands()));
    }

    /** Removes some of what is old; answers whether nothing is left. */
    boolean clean() {
        return table.purge(settings.keep(), CLEANUP_TIME) && table.purgeClients();
    }

    /** What has waited for so long may have been lost by Kafka; what has not is recognised as a repetition. */
    void resend(Duration age) {
        List<Outgoing> overdue = table.overdue(age, new UUID(0, 0), RESENT_AT_ONCE);
        while (!overdue.isEmpty() && !closing) {
            log.warn("{} messages have waited {} and are put into Kafka again", overdue.size(), age);
            resend.accept(overdue);
            overdue = table.overdue(age, overdue.getLast().id(), RESENT_AT_ONCE);
        }
    }

    /** What the other instances send a second. */
    double othersPerSecond() {
        return othersPerSecond;
    }

    /** Ends within about a second, and gives this instance's share back. */
    void close() {
        closing = true;
        beating.interrupt();
        cleaning.interrupt();
        try {
            if (beating.isAlive()) {
                beating.join(CLOSE_TIME);
            }
            instances.leave();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException noDatabase) {
            log.info("The gateway's share is free in 5 seconds only: {}", noDatabase.toString());
        }
    }
}
