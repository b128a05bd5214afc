package dev.weir.starter.outbox;

import dev.weir.core.outbox.Backlog;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.ParkedEvents;
import dev.weir.core.outbox.Relay;
import dev.weir.core.outbox.RelayStats;
import dev.weir.core.outbox.Target;
import dev.weir.starter.StopOrder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** An outbox and its relay as a part of the application: they start before the web server and stop after it. Any thread may ask it. */
public final class OutboxRelay implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration SAMPLE_INTERVAL = Duration.ofSeconds(5);
    private static final RelayStats NOTHING = new RelayStats(0, 0, 0, 0, 0, 0, 0, 0);

    private final String name;
    private final OutboxConfig config;
    private final Outbox outbox;
    private final DataSource database;
    private final @Nullable Supplier<Target> target;
    private final Duration sampleInterval;
    private final ParkedEvents parked;
    private final List<Consumer<Duration>> lagListeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Relay relay;
    private volatile @Nullable Backlog backlog;
    private @Nullable ScheduledExecutorService sampler;
    private volatile boolean running;

    OutboxRelay(
            String name,
            OutboxConfig config,
            Outbox outbox,
            DataSource database,
            @Nullable Supplier<Target> target,
            Duration sampleInterval) {
        this.name = name;
        this.config = config;
        this.outbox = outbox;
        this.database = database;
        this.target = target;
        this.sampleInterval = sampleInterval;
        this.parked = new ParkedEvents(config, database);
    }

    /**
     * An outbox of the application's own, beside those of {@code weir.outbox} and also without it: events are added in Spring's
     * transactions on this data source, and operators and metrics see it with the others. Declare it as a bean; its tables must be there.
     *
     * @param name for operators and metrics, unique in the application
     * @param maxEventBytes larger events are refused at the call
     * @param target made at each start of the relay, and closed at its stop
     */
    public static OutboxRelay of(
            String name, OutboxConfig config, DataSource database, int maxEventBytes, Supplier<Target> target) {
        var outbox = new Outbox(config, new SpringTransaction(database), maxEventBytes);
        return new OutboxRelay(name, config, outbox, database, target, SAMPLE_INTERVAL);
    }

    /** For operators and metrics. */
    public String name() {
        return name;
    }

    /** Where events are added. */
    public Outbox outbox() {
        return outbox;
    }

    OutboxConfig config() {
        return config;
    }

    String table() {
        return config.table();
    }

    ParkedEvents parked() {
        return parked;
    }

    /** Whether this process delivers. */
    boolean delivers() {
        return target != null;
    }

    /** What the relay has counted since it was started last; zeros where it does not run. */
    RelayStats stats() {
        Relay now = relay;
        return now == null ? NOTHING : now.stats();
    }

    /** Tells from now on how late a batch's oldest event arrived. */
    void onLag(Consumer<Duration> listener) {
        lagListeners.add(listener);
    }

    /** How the tables stood at most a sample interval ago; empty while the database does not answer. */
    Optional<Backlog> backlog() {
        return Optional.ofNullable(backlog);
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        if (target != null) {
            relay = Relay.start(
                    config, outbox, database, target.get(), lag -> lagListeners.forEach(each -> each.accept(lag)));
        }
        ScheduledExecutorService made = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("weir-outbox-sampler").daemon(true).factory());
        var ignored = made.scheduleWithFixedDelay(this::sample, 0, sampleInterval.toMillis(), TimeUnit.MILLISECONDS);
        sampler = made;
        running = true;
    }

    private void sample() {
        try {
            backlog = Backlog.read(database, config);
        } catch (SQLException | RuntimeException away) {
            backlog = null;
            LOG.debug("The backlog of {} cannot be read", config.table(), away);
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        ScheduledExecutorService sampling = sampler;
        if (sampling != null) {
            sampling.shutdownNow();
        }
        Relay last = relay;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return StopOrder.RELAYS;
    }
}
