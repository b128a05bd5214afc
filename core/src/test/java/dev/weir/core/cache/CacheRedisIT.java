package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import io.lettuce.core.ClientListArgs;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes on a real Redis. */
@Timeout(120)
class CacheRedisIT {
    private static final Duration READY = Duration.ofSeconds(20);
    private static final CachesConfig COMMON = CachesConfig.defaults()
            .withStalenessBound(Duration.ofMillis(800))
            .withCommandTimeout(Duration.ofMillis(800));
    private static final ValueCodec<String> TEXT = ValueCodec.of(
            text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));

    private static Stack stack;
    private static RedisClient client;

    private final List<LayeredCaches> opened = new ArrayList<>();

    /** The same cache on two nodes. */
    private record Pair(
            LayeredCaches nodeA, LayeredCaches nodeB, LayeredCache<String, String> a, LayeredCache<String, String> b) {}

    /** What a library logs. */
    private static final class Lines extends Handler {
        private final List<String> texts = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            texts.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeAll
    static void start() {
        stack = Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent());
        client = RedisClient.create(stack.redis().url());
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        stack.close();
    }

    @BeforeEach
    void flush() {
        redis("FLUSHALL");
    }

    @AfterEach
    void close() {
        opened.forEach(LayeredCaches::close);
    }

    @Test
    void aValueLoadedByOneNodeIsReadFromRedisByTheOther() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();

        assertThat(a.get("k", key -> "v1")).isEqualTo("v1");
        assertThat(b.get("k", key -> "not asked")).isEqualTo("v1");
        assertThat(b.stats().sharedHits()).isEqualTo(1);
        assertThat(b.peek("k")).isNotNull();
        assertThat(b.get("k", key -> "not asked")).isEqualTo("v1");
        assertThat(b.stats().localHits()).isEqualTo(2);
    }

    @Test
    void anEvictionReachesTheOtherNodeWithinTheBound() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        a.get("k", key -> "v1");
        b.get("k", key -> "not asked");

        assertThat(a.evict("k")).isEqualTo(Eviction.DELIVERED);

        await("the other node's entry is gone", () -> b.peek("k") == null);
        assertThat(b.get("k", key -> "v2")).isEqualTo("v2");
        assertThat(a.get("k", key -> "not asked")).isEqualTo("v2");
    }

    @Test
    void aStrictEvictionReturnsWhenNoNodeAnswersWithTheOldValue() throws Exception {
        Pair nodes = nodes(config -> config.withStrict(true));
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        for (int i = 0; i < 50; i++) {
            String key = "k" + i;
            a.get(key, k -> "v1");
            b.get(key, k -> "not asked");
            assertThat(b.peek(key)).isNotNull();

            assertThat(a.evict(key)).isEqualTo(Eviction.DELIVERED);

            assertThat(b.peek(key)).isNull();
        }
    }

    @Test
    void anAttachmentGoesWithItsEntry() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        a.get("k", key -> "v1");
        Entry<String> entry = Objects.requireNonNull(a.peek("k"));
        entry.attach("encoded");

        assertThat(Objects.requireNonNull(a.peek("k")).attachment()).isEqualTo("encoded");

        b.evict("k");
        await("the entry is gone", () -> a.peek("k") == null);
    }

    @Test
    void aPutIsSeenByAllAndASecondOneAtOnceIsAnEviction() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        b.get("k", key -> "v1");

        a.put("k", "v2");
        await("the other node dropped its own", () -> b.peek("k") == null);
        assertThat(b.get("k", key -> "not asked")).isEqualTo("v2");

        b.put("k", "v3");
        assertThat(b.stats().putsRefused()).isEqualTo(1);
        assertThat(b.get("k", key -> "loaded")).isEqualTo("loaded");
    }

    @Test
    void aPutSoonAfterAnEvictionIsRefused() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        a.evict("k");

        b.put("k", "late");

        assertThat(b.stats().putsRefused()).isEqualTo(1);
        assertThat(a.get("k", key -> "loaded")).isEqualTo("loaded");
    }

    @Test
    void clearingDropsTheCacheOnAllNodes() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        a.get("k", key -> "v1");
        b.get("k", key -> "not asked");

        assertThat(b.clear()).isEqualTo(Eviction.DELIVERED);

        assertThat(b.get("k", key -> "v2")).isEqualTo("v2");
        await("the other node's entry is gone", () -> a.peek("k") == null);
        assertThat(a.get("k", key -> "v3")).isIn("v2", "v3");
    }

    @Test
    void thatThereIsNoneIsKeptToo() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        AtomicInteger loads = new AtomicInteger();

        for (int i = 0; i < 3; i++) {
            assertThat(a.get("none", key -> {
                        loads.incrementAndGet();
                        return null;
                    }))
                    .isNull();
        }
        assertThat(Objects.requireNonNull(b.find("none")).value()).isNull();

        assertThat(loads).hasValue(1);
    }

    @Test
    void aFlushOfRedisDropsWhatTheProcessesHold() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        a.get("k", key -> "v1");

        redis("FLUSHALL");

        await("the entry is gone", () -> a.peek("k") == null);
    }

    @Test
    void aKilledSubscriptionDropsEverythingAndTrustComesBack() throws Exception {
        Pair nodes = nodes(config -> config.withTtlWithoutRedis(Duration.ZERO));
        LayeredCaches nodeA = nodes.nodeA();
        LayeredCache<String, String> a = nodes.a();
        a.get("k", key -> "v1");

        redis("CLIENT KILL TYPE pubsub");

        await("the entry is gone", () -> a.peek("k") == null);
        assertThat(nodeA.awaitReady(READY)).isTrue();
        assertThat(a.get("k", key -> "v2")).isIn("v1", "v2");
        assertThat(a.peek("k")).isNotNull();
    }

    @Test
    void aStormOnOneKeyLoadsOncePerNodeAndOncePerClusterWithTheLease() throws Exception {
        Pair nodes = nodes(config -> config.withClusterLease(true, Duration.ofSeconds(10)));
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        AtomicInteger loads = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 400; i++) {
                LayeredCache<String, String> cache = i % 2 == 0 ? a : b;
                answers.add(callers.submit(() -> {
                    go.await();
                    return cache.get("hot", key -> "loaded " + loads.incrementAndGet());
                }));
            }
            go.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("loaded 1");
            }
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void theHolderOfTheLeaseMayDie() throws Exception {
        Pair nodes = nodes(config -> config.withClusterLease(true, Duration.ofMillis(300)));
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Thread holder = Thread.startVirtualThread(() -> a.get("k", key -> {
            loading.countDown();
            never.await();
            return "too late";
        }));
        loading.await();

        assertThat(b.get("k", key -> "v2")).isEqualTo("v2");

        never.countDown();
        holder.join();
        assertThat(a.get("k", key -> "not asked")).isEqualTo("v2");
    }

    @Test
    void aFailedLoadGivesTheLeaseUp() throws Exception {
        Pair nodes = nodes(config -> config.withClusterLease(true, Duration.ofSeconds(60)));
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        assertThat(catchThrowable(() -> a.get("k", key -> {
                    throw new java.io.IOException("no database");
                })))
                .isInstanceOf(LoadFailedException.class)
                .hasRootCauseMessage("no database");

        assertThat(b.get("k", key -> "v1")).isEqualTo("v1");
    }

    @Test
    void aLoadThatBeganBeforeAnEvictionFillsNothing() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();

        b.get("k", key -> {
            a.evict("k");
            return "v1";
        });

        assertThat(a.find("k")).isNull();
        assertThat(b.peek("k")).isNull();
    }

    @Test
    void theGuardOutlastsAValueThatExpiresBefore() throws Exception {
        Pair nodes = nodes(config -> config.withTtlJitter(0).withNegativeTtl(Duration.ofMillis(20)));
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        a.evict("k");
        assertThat(a.get("k", key -> null)).isNull();
        await("the value has expired", () -> a.find("k") == null);

        b.put("k", "late");

        assertThat(b.stats().putsRefused()).isEqualTo(1);
        assertThat(a.find("k")).isNull();
    }

    @Test
    void connectionsThatDiedWithoutASignAreMadeAnew() throws Exception {
        Lines closing = new Lines();
        Logger log = Logger.getLogger(RedisChannelHandler.class.getName());
        log.addHandler(closing);
        try (Swallower way = new Swallower(stack.redis().port())) {
            LayeredCaches node = node(way.port());
            assertThat(node.awaitReady(READY)).isTrue();

            way.swallow();
            await("the node does not believe", () -> !node.trusted());

            assertThat(node.awaitReady(READY)).isTrue();
        } finally {
            log.removeHandler(closing);
        }
        assertThat(closing.texts).isEmpty();
    }

    @Test
    void aRedisThatBecameAReplicaIsNotBelievedAndIsLeft() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        a.get("k", key -> "v1");
        b.get("k", key -> "not asked");
        Set<String> before = subscribers();
        try {
            redis("REPLICAOF");
            await("its values are not believed", () -> "v2".equals(b.get("k", key -> "v2")));
            await("other connections", () -> Collections.disjoint(subscribers(), before));
        } finally {
            redis("REPLICAOF NO ONE");
        }
        assertThat(nodes.nodeA().awaitReady(READY) && nodes.nodeB().awaitReady(READY))
                .isTrue();
    }

    @Test
    void redisKilledDuringLoadFailsNoReadAndLosesNoEviction() throws Exception {
        Pair nodes = nodes(config -> config);
        LayeredCaches nodeA = nodes.nodeA();
        LayeredCache<String, String> a = nodes.a();
        LayeredCache<String, String> b = nodes.b();
        AtomicLong row = new AtomicLong(1);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong reads = new AtomicLong();
        List<Future<?>> readers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (LayeredCache<String, String> cache : List.of(a, b)) {
                readers.add(threads.submit(() -> {
                    while (!stop.get()) {
                        cache.get("k" + reads.incrementAndGet() % 50, key -> Long.toString(row.get()));
                        LockSupport.parkNanos(20_000);
                    }
                }));
            }
            await("load", () -> reads.get() > 2_000);
            stack.redis().server().kill();
            await("Redis is seen to be gone", () -> !nodeA.sharedUsable() && !nodeA.trusted());
            row.set(2);
            assertThat(a.evict("k1")).isEqualTo(Eviction.DEFERRED);
            assertThat(a.get("k1", key -> Long.toString(row.get()))).isEqualTo("2");
            long before = reads.get();
            await("reads go on", () -> reads.get() > before + 2_000);
            await("the other node's old value ends", () -> "2".equals(b.get("k1", key -> Long.toString(row.get()))));
            stack.redis().server().start(Duration.ofSeconds(30));
            assertThat(nodeA.awaitReady(READY) && nodes.nodeB().awaitReady(READY))
                    .isTrue();
            await("the eviction is delivered", () -> a.stats().pendingEvictions() == 0);
            stop.set(true);
            for (Future<?> reader : readers) {
                reader.get(10, TimeUnit.SECONDS);
            }
        }
        // The eviction may have taken the new value along; what must not come back is the old one.
        assertThat(b.get("k1", key -> Long.toString(row.get()))).isEqualTo("2");
    }

    private Pair nodes(UnaryOperator<CacheConfig> settings) throws InterruptedException {
        CacheConfig config = settings.apply(CacheConfig.named("texts").withTtlWithoutRedis(Duration.ofMillis(200)));
        LayeredCaches nodeA = node();
        LayeredCaches nodeB = node();
        Pair pair = new Pair(
                nodeA,
                nodeB,
                nodeA.create(config, KeyEncoder.text(), TEXT),
                nodeB.create(config, KeyEncoder.text(), TEXT));
        assertThat(nodeA.awaitReady(READY) && nodeB.awaitReady(READY)).isTrue();
        return pair;
    }

    private LayeredCaches node() {
        return node(stack.redis().port());
    }

    private LayeredCaches node(int port) {
        LayeredCaches node = RedisCaches.connect(RedisURI.create("127.0.0.1", port), COMMON, LoadGuard.none());
        opened.add(node);
        return node;
    }

    private static void redis(String command) {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            switch (command) {
                case "FLUSHALL" -> connection.sync().flushall();
                case "CLIENT KILL TYPE pubsub" ->
                    connection.sync().clientKill(io.lettuce.core.KillArgs.Builder.typePubsub());
                case "REPLICAOF" -> connection.sync().replicaof("127.0.0.1", 1);
                case "REPLICAOF NO ONE" -> connection.sync().replicaofNoOne();
                default -> throw new IllegalArgumentException(command);
            }
        }
    }

    private static Set<String> subscribers() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection
                    .sync()
                    .clientList(ClientListArgs.Builder.typePubsub())
                    .lines()
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .collect(Collectors.toSet());
        }
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Not so within 30 s: " + what);
            }
            never.await(5, TimeUnit.MILLISECONDS);
        }
    }
}
