package dev.weir.core.cache;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The caches of this node and their connection to Redis and to the other nodes. Any thread may call it. Works on without
 * Redis, also when Redis is not there at the start, within the promise each cache makes for that. One daemon thread sends
 * the beats. A cache of 10,000 entries takes about 3 MB besides keys and values.
 */
public final class LayeredCaches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LayeredCaches.class);
    private static final int TICKS_PER_SWEEP = 64;

    private final CachesConfig config;
    private final @Nullable Node node;
    private final Trust trust;
    private final LoadGuard guard;
    private final NanoClock clock;
    private final Waits waits;
    private final RandomGenerator random;
    private final Executor background;
    private final Refreshes refreshes;
    private final Map<String, LayeredCache<?, ?>> caches = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private @Nullable ScheduledExecutorService ticker;
    private volatile BooleanSupplier underPressure = () -> false;
    private volatile long lastReadyNanos;
    private long ticks;

    LayeredCaches(
            CachesConfig config,
            @Nullable Node node,
            LoadGuard guard,
            NanoClock clock,
            Waits waits,
            RandomGenerator random,
            Executor background) {
        this.config = config;
        this.node = node;
        this.trust = node == null ? Trust.alone(clock.nanoTime()) : node.trust();
        this.guard = guard;
        this.clock = clock;
        this.waits = waits;
        this.random = random;
        this.background = background;
        this.refreshes = new Refreshes(background, config.maxRefreshes());
        this.lastReadyNanos = clock.nanoTime();
    }

    /** Caches of a service that runs as one process: no Redis, and nobody to tell. */
    public static LayeredCaches local(CachesConfig config) {
        return local(config, LoadGuard.none());
    }

    /** The same over a database with replicas. */
    public static LayeredCaches local(CachesConfig config, LoadGuard guard) {
        return running(config, null, guard, NanoClock.system());
    }

    /** With a thread that ticks. */
    static LayeredCaches running(CachesConfig config, @Nullable Node node, LoadGuard guard, NanoClock clock) {
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        Executor background =
                work -> Thread.ofVirtual().name("weir-cache-background").start(work);
        LayeredCaches made = new LayeredCaches(config, node, guard, clock, Waits.blocking(), random, background);
        made.startTicking();
        return made;
    }

    /**
     * Makes a cache.
     *
     * @throws IllegalArgumentException if the name is taken, or the settings do not fit those of the node
     */
    public <K, V> LayeredCache<K, V> create(CacheConfig cache, KeyEncoder<? super K> names, ValueCodec<V> codec) {
        config.check(cache);
        KeyEncoder<K> wired = WireNames.of(names);
        Line line = new Line(cache, new CacheCounters(), clock.nanoTime());
        LocalLayer<K, V> local =
                new LocalLayer<>(line, trust, random, () -> underPressure.getAsBoolean(), clock.nanoTime());
        SharedLayer<V> shared = node == null ? null : new SharedLayer<>(node, line, codec, waits, random, config);
        Loading<K, V> loading = new Loading<>(wired, line, local, shared, guard, clock, waits, random, refreshes);
        Evictions others = node == null ? null : new Evictions(node, line, clock, waits, config);
        LayeredCache<K, V> made = new LayeredCache<>(config, wired, line, trust, local, shared, loading, others, clock);
        if (caches.putIfAbsent(cache.name(), made) != null) {
            throw new IllegalArgumentException(
                    "There is a cache named " + cache.name() + " already. Use that one, or choose another name.");
        }
        if (node != null) {
            node.add(line);
        }
        return made;
    }

    /**
     * From now on values past their time to live answer, for as long as each cache's {@code staleOnPressureFor} says, while this is
     * true.
     *
     * @param pressed asked by reads of expired values, in their threads; must neither block nor throw
     */
    public void staleWhile(BooleanSupplier pressed) {
        underPressure = pressed;
    }

    /** The settings shared by all caches. */
    public CachesConfig config() {
        return config;
    }

    /** All caches made so far. */
    public Collection<LayeredCache<?, ?>> caches() {
        return Collections.unmodifiableCollection(caches.values());
    }

    /** Whether the connection to the other nodes is proven, so that the process answers for as long as each cache's ttl. */
    public boolean trusted() {
        return trust.trusted(clock.nanoTime());
    }

    /** Whether Redis is asked for values. Always false for local caches. */
    public boolean sharedUsable() {
        return node != null && node.health().usable(clock.nanoTime());
    }

    /**
     * For how long by now not all layers have worked; zero while they do. Up to {@link CachesConfig#readyWithin} it may be a
     * start, or the end of an outage.
     */
    public Duration notReadyFor() {
        return ready() ? Duration.ZERO : Duration.ofNanos(clock.nanoTime() - lastReadyNanos);
    }

    private boolean ready() {
        return trusted() && (node == null || sharedUsable());
    }

    /** Waits until all layers work or the time is over; says which. Right after a start this takes the staleness bound. */
    public boolean awaitReady(Duration atMost) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = clock.nanoTime() + atMost.toNanos();
        while (!ready()) {
            if (clock.nanoTime() - deadline >= 0) {
                return false;
            }
            never.await(config.tickNanos() / 4, TimeUnit.NANOSECONDS);
        }
        return true;
    }

    /** Stops the beats and the connections. The caches then answer as without Redis. */
    @Override
    public void close() {
        if (ticker != null) {
            ticker.shutdownNow();
        }
        if (node != null) {
            node.close();
        }
    }

    /** One step of upkeep. */
    void tick() {
        if (node != null) {
            node.tick();
        }
        if (ready()) {
            lastReadyNanos = clock.nanoTime();
        }
        if (++ticks % TICKS_PER_SWEEP == 0 && sweeping.compareAndSet(false, true)) {
            beginSweep();
        }
    }

    private void beginSweep() {
        boolean begun = false;
        try {
            background.execute(this::sweep);
            begun = true;
        } finally {
            if (!begun) {
                sweeping.set(false);
            }
        }
    }

    /** Not on the thread that ticks: a look at millions of entries takes longer than a beat may be late. */
    private void sweep() {
        try {
            caches.values().forEach(LayeredCache::sweep);
        } finally {
            sweeping.set(false);
        }
    }

    private void startTicking() {
        ticker = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("weir-cache-beat").factory());
        var unused = ticker.scheduleAtFixedRate(this::guardedTick, 0, config.tickNanos(), TimeUnit.NANOSECONDS);
    }

    /** What left it would end the beats for good, without a word. */
    private void guardedTick() {
        try {
            tick();
        } catch (RuntimeException | Error broken) {
            LOG.error("The upkeep of the caches failed; it is tried again", broken);
        }
    }
}
