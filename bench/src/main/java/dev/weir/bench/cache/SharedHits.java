package dev.weir.bench.cache;

import com.sun.management.ThreadMXBean;
import dev.weir.bench.jmh.Goals;
import dev.weir.bench.jmh.Scores;
import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.CachesConfig;
import dev.weir.core.cache.KeyEncoder;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.LoadGuard;
import dev.weir.core.cache.RedisCaches;
import dev.weir.core.cache.ValueCodec;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * What does a hit in Redis cost beside a plain GET? A round trip follows the machine's mood more than the client, so all take
 * turns in one JVM, {@value #BATCH} hits at a time, and each batch is held against the plain one of the same round. Evenly
 * drawn keys, for the process may hold one entry. Part of bench/cache.
 */
final class SharedHits implements AutoCloseable {
    private static final int BATCH = 100;
    private static final String BASELINE = "GET by Lettuce";
    private static final String OURS = "Weir";
    private static final double GOAL = 1.15;
    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration READY = Duration.ofSeconds(60);

    private final Map<String, Function<String, byte @Nullable []>> gets = new LinkedHashMap<>();
    private final Map<String, Figures> figures = new LinkedHashMap<>();
    private final SplittableRandom random = new SplittableRandom(42);
    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final RedisClient client;
    private final LayeredCaches caches;
    private final LayeredCache<String, byte[]> weir;
    private final JetCaches jet;
    private final RedissonClient redisson;

    /** One client's batches, in microseconds a hit and bytes a hit of the calling thread. */
    private record Figures(List<Double> micros, List<Double> ratios, List<Double> bytes) {}

    SharedHits(String redis) throws InterruptedException {
        client = RedisClient.create(redis);
        caches = RedisCaches.connect(RedisURI.create(redis), CachesConfig.defaults(), LoadGuard.none());
        weir = caches.create(
                CacheConfig.named("bench").withMaxEntries(1).withTtl(TTL, TTL), KeyEncoder.text(), ValueCodec.bytes());
        jet = new JetCaches(redis, "jet-hits", Duration.ofSeconds(10));
        var config = new Config();
        config.useSingleServer().setAddress(redis);
        redisson = Redisson.create(config);
        fill();
    }

    private void fill() throws InterruptedException {
        StatefulRedisConnection<String, byte[]> plain =
                client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        var remote = jet.remote("remote:", TTL);
        RMap<String, byte[]> map = redisson.getMap("red:map", PeerHits.CODEC);
        if (!caches.awaitReady(READY)) {
            throw new IllegalStateException("The caches were not ready within " + READY.toSeconds() + " s.");
        }
        for (int i = 0; i < CacheHits.KEYS; i++) {
            String key = CacheHits.key(i);
            plain.sync().set("plain:" + key, CacheHits.value());
            weir.get(key, asked -> CacheHits.value());
            remote.put(key, CacheHits.value());
            map.fastPut(key, CacheHits.value());
        }
        gets.put(BASELINE, key -> plain.sync().get("plain:" + key));
        gets.put(OURS, key -> Objects.requireNonNull(weir.find(key)).value());
        gets.put("JetCache REMOTE", remote::get);
        gets.put("Redisson map", map::get);
        gets.keySet()
                .forEach(name ->
                        figures.put(name, new Figures(new ArrayList<>(), new ArrayList<>(), new ArrayList<>())));
    }

    /** Runs for this time, a third of it to warm up, and prints the table. */
    void run(Duration time) {
        long start = System.nanoTime();
        for (int round = 0; System.nanoTime() - start < time.toNanos(); round++) {
            boolean measured = System.nanoTime() - start > time.toNanos() / 3;
            List<String> names = List.copyOf(gets.keySet());
            Map<String, Double> micros = new LinkedHashMap<>();
            for (String name : round % 2 == 0 ? names : names.reversed()) {
                micros.put(name, batch(name, measured));
            }
            if (measured) {
                double baseline = Objects.requireNonNull(micros.get(BASELINE));
                micros.forEach((name, each) -> {
                    of(name).micros().add(each);
                    of(name).ratios().add(each / baseline);
                });
            }
        }
        if (weir.stats().localHits() > weir.stats().sharedHits() / 100) {
            throw new IllegalStateException("Not a bench of Redis: " + weir.stats());
        }
        print();
    }

    private double batch(String name, boolean measured) {
        Function<String, byte @Nullable []> get = Objects.requireNonNull(gets.get(name));
        String[] keys =
                random.ints(BATCH, 0, CacheHits.KEYS).mapToObj(CacheHits::key).toArray(String[]::new);
        long bytes = thread.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        for (String key : keys) {
            Objects.requireNonNull(get.apply(key), name);
        }
        double micros = (System.nanoTime() - start) / 1e3 / BATCH;
        if (measured) {
            of(name).bytes().add((thread.getCurrentThreadAllocatedBytes() - bytes) / (double) BATCH);
        }
        return micros;
    }

    private Figures of(String name) {
        return Objects.requireNonNull(figures.get(name));
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "## A hit in Redis%n%n%,d rounds in one JVM, %d hits each in turn; medians, and in brackets a tenth of the rounds below"
                        + " and above.%n%n",
                of(BASELINE).micros().size(),
                BATCH);
        System.out.println("| | µs | x GET of the same round | B/op of the caller |");
        System.out.println("|---|---:|---:|---:|");
        figures.forEach((name, f) -> System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %,.0f |%n",
                name,
                middle(f.micros(), 1),
                middle(f.ratios(), 2),
                new Scores(f.bytes()).median()));
        double ratio = new Scores(of(OURS).ratios()).median();
        System.out.printf(
                Locale.ROOT,
                "%nGoal: %s at most %.2f x %s: %.2f x, %s.%n",
                OURS,
                GOAL,
                BASELINE,
                ratio,
                Goals.word(ratio <= GOAL));
    }

    private static String middle(List<Double> values, int digits) {
        List<Double> sorted = new Scores(values).values();
        String number = "%,." + digits + "f";
        return String.format(
                Locale.ROOT,
                number + " (" + number + " to " + number + ")",
                new Scores(values).median(),
                sorted.get(sorted.size() / 10),
                sorted.get(sorted.size() * 9 / 10));
    }

    @Override
    public void close() {
        redisson.shutdown();
        jet.close();
        caches.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
