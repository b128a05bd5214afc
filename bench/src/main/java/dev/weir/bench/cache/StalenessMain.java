package dev.weir.bench.cache;

import dev.weir.bench.cache.Subject.Kind;
import dev.weir.bench.cache.TwoNodes.Seen;
import dev.weir.bench.jmh.Goals;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How stale do reads get? Two JVMs read, one of them writes rising versions and evicts, while the subscriptions are killed
 * again and again, Redis is flushed, and killed and restarted. Command: bench/cache-staleness
 */
final class StalenessMain {
    private static final Duration REDIS_START = Duration.ofSeconds(30);
    private static final int STEPS_PER_OUTAGE = 10;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private StalenessMain() {}

    public static void main(String[] args) throws Exception {
        Duration length = Duration.ofSeconds(Long.parseLong(args[0]));
        Duration bound = Duration.ofSeconds(2);
        boolean held;
        try (Stack stack =
                Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent())) {
            Map<Kind, Seen> seen =
                    run(stack, length, bound, List.of(Kind.WEIR, Kind.WEIR_STRICT, Kind.JETCACHE, Kind.NAIVE));
            print(seen, bound);
            held = held(seen);
        }
        Goals.exit(held);
    }

    /** Runs and answers what the readers saw of each cache. */
    static Map<Kind, Seen> run(Stack stack, Duration length, Duration bound, List<Kind> kinds)
            throws IOException, InterruptedException {
        RedisClient client = RedisClient.create(stack.redis().url());
        try (TwoNodes nodes = new TwoNodes("stale", stack.redis().url(), bound, 0, kinds)) {
            long end = System.nanoTime() + length.toNanos();
            for (int step = 1; System.nanoTime() - end < 0; step++) {
                LockSupport.parkNanos(STEP_NANOS);
                disturb(stack, client, step);
            }
            return nodes.finish();
        } finally {
            client.shutdown();
        }
    }

    private static void disturb(Stack stack, RedisClient client, int step) {
        if (step % STEPS_PER_OUTAGE == STEPS_PER_OUTAGE / 2) {
            stack.redis().server().kill();
            LockSupport.parkNanos(2 * STEP_NANOS);
            stack.redis().server().start(REDIS_START);
            return;
        }
        try (StatefulRedisConnection<String, String> admin = client.connect()) {
            if (step % 3 == 0) {
                admin.sync().flushall();
            } else {
                admin.sync().clientKill(KillArgs.Builder.typePubsub());
            }
        }
    }

    private static void print(Map<Kind, Seen> seen, Duration bound) {
        System.out.println("| Cache | Reads | Stale | Stale per million | Beyond the bound of " + bound.toSeconds()
                + " s per million | Worst stale age | Reads failed | Evictions | Undelivered when they returned |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        seen.forEach((kind, s) -> System.out.println(String.format(
                Locale.ROOT,
                "| %s | %,d | %,d | %,.2f | %,.2f | %,.1f ms | %,d | %,d | %,d |",
                kind.label(),
                s.reads(),
                s.stale(),
                1e6 * s.stale() / s.reads(),
                1e6 * s.beyond() / s.reads(),
                s.worstMicros() / 1e3,
                s.failed(),
                s.evictions(),
                s.undelivered())));
    }

    /** Ours, no read beyond the bound; strict, no stale read at all. */
    private static boolean held(Map<Kind, Seen> seen) {
        long beyond = Objects.requireNonNull(seen.get(Kind.WEIR)).beyond();
        long stale = Objects.requireNonNull(seen.get(Kind.WEIR_STRICT)).stale();
        System.out.printf(
                Locale.ROOT,
                "%nGoal: no read of Weir's beyond the bound: %,d, %s. No stale read of the strict one: %,d, %s.%n",
                beyond,
                Goals.word(beyond == 0),
                stale,
                Goals.word(stale == 0));
        return beyond == 0 && stale == 0;
    }
}
