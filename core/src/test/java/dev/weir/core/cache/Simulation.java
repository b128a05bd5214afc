package dev.weir.core.cache;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in one thread of control: nodes with their caches over a {@link SimulatedRedis}, a database with a lagging
 * replica, readers and writers, and a seed that orders all of it. Each read is held against a plain model: by when which
 * version must be seen.
 */
final class Simulation {
    static final Duration BOUND = Duration.ofSeconds(2);

    private static final long MILLI = 1_000_000;
    private static final long REPLICA_LAG_NANOS = 300 * MILLI;
    private static final long TIMEOUT_NANOS = 250 * MILLI;
    private static final long LONGEST_DELAY_NANOS = 400 * MILLI;
    private static final int NODES = 3;
    private static final int KEYS = 2;
    private static final int CLIENTS = 7;

    /** Which faults occur. */
    enum Faults {
        /** Slow, lost and swapped messages, cut connections, flushes; single nodes cut off. */
        OF_THE_NETWORK,
        /** Redis frozen for a while, or killed for all at once and restarted, empty or with an old state; prompt otherwise. */
        OF_REDIS
    }

    private final RandomGenerator random;
    private final Faults faults;
    private final boolean strict;
    private final long endNanos;
    private final SteppedTasks tasks = new SteppedTasks(() -> this.nowNanos);
    private final SimulatedRedis redis = new SimulatedRedis(() -> this.nowNanos);
    private final List<Member> members = new ArrayList<>();
    private final Map<String, Row> rows = new HashMap<>();
    private long nowNanos;
    private final int writeOneIn;
    private final int lossPercent;
    private final int faultsPerMille;
    private long redisDownUntilNanos;
    private long reads;
    private long localHits;

    /** One node. */
    private static final class Member {
        private final String id;
        private final SimulatedRedis.Link link;
        private final LayeredCaches caches;
        private final LayeredCache<String, Long> cache;
        private long nextTickNanos;
        private long frozenUntilNanos;
        private long cutUntilNanos;
        private long stalledUntilNanos;

        Member(String id, SimulatedRedis.Link link, LayeredCaches caches, LayeredCache<String, Long> cache) {
            this.id = id;
            this.link = link;
            this.caches = caches;
            this.cache = cache;
        }
    }

    /** One row of the database: its versions and when each must be seen. */
    private static final class Row {
        private final List<Write> writes = new ArrayList<>();
        private long version = 1;

        long onReplica(long nowNanos) {
            long seen = 1;
            for (Write write : writes) {
                if (write.committedNanos + REPLICA_LAG_NANOS <= nowNanos) {
                    seen = Math.max(seen, write.version);
                }
            }
            return seen;
        }
    }

    private static final class Write {
        private final long version;
        private final long committedNanos;
        /** From when on every read must see it; none before the eviction has returned. */
        private long bindingNanos = Long.MAX_VALUE;

        Write(long version, long committedNanos) {
            this.version = version;
            this.committedNanos = committedNanos;
        }
    }

    Simulation(long seed, Faults faults, boolean strict, Duration length) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.faults = faults;
        this.strict = strict;
        this.endNanos = length.toNanos();
        // Rare writes let what was missed show for long; frequent ones race with everything.
        this.writeOneIn = oneOf(12, 60, 400);
        this.lossPercent = faults == Faults.OF_THE_NETWORK ? oneOf(0, 2, 20) : 0;
        this.faultsPerMille = oneOf(1, 3, 10);
        for (int i = 0; i < NODES; i++) {
            members.add(member("node-" + i));
        }
        for (int i = 0; i < KEYS; i++) {
            rows.put(key(i), new Row());
        }
    }

    long reads() {
        return reads;
    }

    long localHits() {
        return localHits;
    }

    void run() {
        for (int i = 0; i < CLIENTS; i++) {
            Member member = members.get(i % NODES);
            tasks.start(member.id, () -> client(member));
        }
        while (!tasks.alive().isEmpty()) {
            step();
        }
        members.forEach(member -> localHits += member.cache.stats().localHits());
    }

    private Member member(String id) {
        CachesConfig common =
                CachesConfig.defaults().withStalenessBound(BOUND).withCommandTimeout(Duration.ofNanos(TIMEOUT_NANOS));
        SimulatedRedis.Link link = redis.link(id);
        Node node = new Node(id, link, common, () -> nowNanos, random::nextLong);
        LayeredCaches caches = new LayeredCaches(
                common, node, new Primary(), () -> nowNanos, tasks, random, work -> tasks.start(id, work::run));
        CacheConfig config = CacheConfig.named("prices")
                .withStrict(strict)
                .withTtl(Duration.ofSeconds(20), Duration.ofSeconds(60))
                .withRefreshAfter(Duration.ofSeconds(5))
                .withClusterLease(random.nextBoolean(), Duration.ofMillis(800))
                .withGuardFor(Duration.ofSeconds(1));
        LayeredCache<String, Long> cache = caches.create(
                config,
                KeyEncoder.text(),
                ValueCodec.of(
                        version ->
                                ByteBuffer.allocate(Long.BYTES).putLong(version).array(),
                        bytes -> ByteBuffer.wrap(bytes).getLong()));
        link.start(node);
        return new Member(id, link, caches, cache);
    }

    /** The router's scope: loads in it read the primary. */
    private final class Primary implements LoadGuard {
        @Override
        public <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception {
            onPrimary.set(true);
            try {
                return load.call();
            } finally {
                onPrimary.remove();
            }
        }
    }

    private final ThreadLocal<Boolean> onPrimary = ThreadLocal.withInitial(() -> false);

    private void client(Member member) throws Exception {
        while (nowNanos < endNanos) {
            String key = key(random.nextInt(KEYS));
            if (random.nextInt(writeOneIn) == 0) {
                write(member, key, random.nextBoolean());
            } else if (random.nextInt(8) == 0) {
                checkedRead(key, () -> reserved(member, key));
            } else {
                checkedRead(key, () -> {
                    Long seen = member.cache.get(key, this::load);
                    return seen == null ? 0 : seen;
                });
            }
            tasks.pass();
        }
    }

    private long reserved(Member member, String key) throws Exception {
        Entry<Long> found = member.cache.find(key);
        if (found != null && found.value() != null) {
            return found.value();
        }
        Reservation<Long> reservation = member.cache.reserve(key);
        Entry<Long> present = reservation.present();
        if (present != null && present.value() != null) {
            return present.value();
        }
        long loaded = reservation.guarded() ? new Primary().fresh(() -> load(key)) : load(key);
        tasks.pass();
        reservation.fill(loaded);
        return loaded;
    }

    private long load(String key) {
        Row row = row(key);
        boolean primary = onPrimary.get();
        tasks.pass();
        long version = primary ? row.version : row.onReplica(nowNanos);
        tasks.pass();
        return version;
    }

    private void write(Member member, String key, boolean put) {
        Row row = row(key);
        long version = ++row.version;
        Write write = new Write(version, nowNanos);
        row.writes.add(write);
        tasks.pass();
        Eviction outcome;
        if (put && nowNanos - write.committedNanos < 100 * MILLI) {
            outcome = member.cache.put(key, version);
        } else if (random.nextInt(10) == 0) {
            outcome = member.cache.clear();
        } else {
            outcome = member.cache.evict(key);
        }
        boolean told = outcome == Eviction.DELIVERED || faults == Faults.OF_REDIS;
        if (told) {
            write.bindingNanos = nowNanos + (strict ? 0 : BOUND.toNanos());
        }
    }

    private void checkedRead(String key, Callable<Long> read) throws Exception {
        Row row = row(key);
        long started = nowNanos;
        long required = 1;
        for (Write write : row.writes) {
            if (write.bindingNanos <= started) {
                required = Math.max(required, write.version);
            }
        }
        long seen = read.call();
        reads++;
        if (seen < required) {
            throw new AssertionError("At " + started / MILLI + " ms a read of " + key + " began that answered version "
                    + seen + "; version " + required + " had to be seen by then");
        }
    }

    private void step() {
        for (Member member : members) {
            if (member.nextTickNanos <= nowNanos && member.frozenUntilNanos <= nowNanos) {
                member.nextTickNanos = nowNanos + BOUND.toNanos() / 16;
                member.caches.tick();
                return;
            }
        }
        Member member = members.get(random.nextInt(NODES));
        boolean frozen = member.frozenUntilNanos > nowNanos;
        int dice = random.nextInt(1_000);
        if (dice < 500) {
            SteppedTasks.Task task =
                    tasks.alive().get(random.nextInt(tasks.alive().size()));
            boolean ofFrozen =
                    members.stream().anyMatch(m -> m.id.equals(task.node()) && m.frozenUntilNanos > nowNanos);
            if (!ofFrozen) {
                tasks.step(task);
            }
        } else if (dice < 650) {
            if (member.link.hasCommand()) {
                member.link.executeNext();
            }
        } else if (dice < 800) {
            if (member.link.hasReply() && !frozen) {
                member.link.deliverReply();
            }
        } else if (dice < 900) {
            if (random.nextInt(100) < lossPercent) {
                member.link.loseMessage();
            } else if (member.link.hasMessage() && !frozen && member.stalledUntilNanos <= nowNanos) {
                member.link.deliverMessage();
            }
        } else if (dice < 1_000 - faultsPerMille) {
            advance();
        } else {
            fault(member);
        }
    }

    private void advance() {
        if (faults == Faults.OF_REDIS) {
            members.forEach(Simulation::settle);
        }
        for (Member member : members) {
            while (nowNanos - member.link.oldestCommandNanos() >= LONGEST_DELAY_NANOS) {
                member.link.executeNext();
            }
        }
        nowNanos += random.nextLong(1, 20 * MILLI);
        members.forEach(member -> {
            if (member.frozenUntilNanos <= nowNanos) {
                member.link.expireCommands(TIMEOUT_NANOS);
            }
            if (member.cutUntilNanos != 0 && member.cutUntilNanos <= nowNanos) {
                member.cutUntilNanos = 0;
                member.link.reachable(true);
            }
        });
        if (redis.frozen() && redisDownUntilNanos <= nowNanos) {
            redis.thaw();
        }
        if (!redis.up() && redisDownUntilNanos <= nowNanos) {
            switch (random.nextInt(3)) {
                case 0 -> redis.comeBack();
                case 1 -> redis.restart(true);
                default -> redis.restart(false);
            }
        }
    }

    private static void settle(Member member) {
        while (member.link.hasCommand()) {
            member.link.executeNext();
        }
        while (member.link.hasReply()) {
            member.link.deliverReply();
        }
        while (member.link.hasMessage()) {
            member.link.deliverMessage();
        }
    }

    private void fault(Member member) {
        if (faults == Faults.OF_REDIS) {
            switch (random.nextInt(30)) {
                case 0 -> {
                    redis.kill();
                    redisDownUntilNanos = nowNanos + random.nextLong(1, 3 * BOUND.toNanos());
                }
                case 1, 2, 3 -> redis.save();
                case 4 -> {
                    redis.freeze();
                    redisDownUntilNanos = nowNanos + random.nextLong(1, 3 * BOUND.toNanos());
                }
                default -> {}
            }
            return;
        }
        switch (random.nextInt(18)) {
            case 0 -> member.link.cutSubscription();
            case 1 -> member.link.cutCommands();
            case 2 -> redis.flush();
            case 3 -> member.frozenUntilNanos = nowNanos + random.nextLong(1, 2 * BOUND.toNanos());
            case 4 -> {
                member.cutUntilNanos = nowNanos + random.nextLong(1, 2 * BOUND.toNanos());
                member.link.reachable(false);
            }
            case 5, 6 -> member.stalledUntilNanos = nowNanos + random.nextLong(1, 3 * BOUND.toNanos());
            case 7 -> member.link.swapMessages();
            case 8 -> member.link.goSilent();
            case 9 -> redis.failOver();
            default -> member.link.loseMessage();
        }
    }

    private Row row(String key) {
        Row row = rows.get(key);
        if (row == null) {
            throw new IllegalArgumentException(key);
        }
        return row;
    }

    private int oneOf(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static String key(int i) {
        return "key-" + i;
    }
}
