package dev.weir.bench.cache;

import dev.weir.bench.cache.Subject.Kind;
import dev.weir.bench.jmh.Goals;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How often is a loader called when 1,000 callers in each of two JVMs miss one key? Command: bench/cache-storm. Each storm has
 * two fresh JVMs and an empty Redis; the kinds take turns, every second round backwards.
 */
final class StormMain {
    private static final int CALLERS = 1_000;
    private static final List<Kind> KINDS = List.of(Kind.WEIR, Kind.WEIR_LEASE, Kind.JETCACHE, Kind.NAIVE);

    private StormMain() {}

    /** Calls of the loader in each JVM. */
    private record Loads(long first, long second) {
        long total() {
            return first + second;
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Map<Kind, List<Loads>> loads = new EnumMap<>(Kind.class);
        KINDS.forEach(kind -> loads.put(kind, new ArrayList<>()));
        try (Stack stack =
                Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent())) {
            for (int round = 0; round < rounds; round++) {
                for (Kind kind : round % 2 == 0 ? KINDS : KINDS.reversed()) {
                    loads.computeIfAbsent(kind, unseen -> new ArrayList<>()).add(storm(stack, kind));
                }
            }
        }
        print(loads);
        Goals.exit(held(loads));
    }

    private static Loads storm(Stack stack, Kind kind) throws Exception {
        empty(stack.redis().url());
        try (TwoNodes nodes =
                new TwoNodes("storm", stack.redis().url(), Duration.ofSeconds(2), CALLERS, List.of(kind))) {
            Truth truth = nodes.truth(kind);
            truth.go();
            nodes.finish();
            return new Loads(truth.loads(0), truth.loads(1));
        }
    }

    private static void empty(String redis) {
        RedisClient client = RedisClient.create(redis);
        try (StatefulRedisConnection<String, String> admin = client.connect()) {
            admin.sync().flushall();
        } finally {
            client.shutdown();
        }
    }

    private static void print(Map<Kind, List<Loads>> loads) {
        System.out.println("| Cache | Calls of the loader, all | First JVM | Second JVM | Goal, all |");
        System.out.println("|---|---:|---:|---:|---:|");
        loads.forEach((kind, storms) -> System.out.println(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s |",
                kind.label(),
                figures(storms, Loads::total),
                figures(storms, Loads::first),
                figures(storms, Loads::second),
                goal(kind) == 0 ? "" : Long.toString(goal(kind)))));
    }

    /** The middle, and the lowest and the highest where they differ. */
    private static String figures(List<Loads> storms, ToLongFunction<Loads> figure) {
        long[] sorted = storms.stream().mapToLong(figure).sorted().toArray();
        String middle = String.format(Locale.ROOT, "%,d", sorted[sorted.length / 2]);
        return sorted[0] == sorted[sorted.length - 1]
                ? middle
                : String.format(Locale.ROOT, "%s (%,d to %,d)", middle, sorted[0], sorted[sorted.length - 1]);
    }

    private static boolean held(Map<Kind, List<Loads>> loads) {
        boolean held = loads.entrySet().stream()
                .filter(kind -> goal(kind.getKey()) > 0)
                .allMatch(kind -> kind.getValue().stream().allMatch(storm -> storm.total() <= goal(kind.getKey())));
        System.out.printf(
                "%nGoal: Weir loads once a JVM, with the lease once in all, in every storm: %s.%n", Goals.word(held));
        return held;
    }

    /** The most calls in both JVMs; 0 where none is promised. */
    private static long goal(Kind kind) {
        return switch (kind) {
            case WEIR, WEIR_STRICT -> 2;
            case WEIR_LEASE -> 1;
            case JETCACHE, NAIVE -> 0;
        };
    }
}
