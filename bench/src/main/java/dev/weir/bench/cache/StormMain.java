package dev.weir.bench.cache;

import dev.weir.bench.cache.Subject.Kind;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How often is a loader called when 1,000 callers in each of two JVMs miss one key? Command: bench/cache-storm */
final class StormMain {
    private static final int CALLERS = 1_000;

    private StormMain() {}

    public static void main(String[] args) throws Exception {
        System.out.println("| Cache | Calls of the loader | Ideal |");
        System.out.println("|---|---|---|");
        try (Stack stack =
                Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent())) {
            for (Kind kind : List.of(Kind.WEIR, Kind.WEIR_LEASE, Kind.NAIVE)) {
                System.out.println(String.format(
                        Locale.ROOT,
                        "| %s | %,d | %s |",
                        kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        loads(stack, kind),
                        kind == Kind.WEIR_LEASE ? "1" : "2"));
            }
        }
    }

    private static long loads(Stack stack, Kind kind) throws Exception {
        try (TwoNodes nodes =
                new TwoNodes("storm", stack.redis().url(), Duration.ofSeconds(2), CALLERS, List.of(kind))) {
            Truth truth = nodes.truth(kind);
            truth.go();
            nodes.finish();
            return truth.loads();
        }
    }
}
