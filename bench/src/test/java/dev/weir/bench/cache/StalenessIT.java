package dev.weir.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cache.Subject.Kind;
import dev.weir.bench.cache.TwoNodes.Seen;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The short form of bench/cache-staleness: the promise, with two JVMs on a real Redis that is ill-treated. */
class StalenessIT {

    @Test
    @Timeout(240)
    void noReadIsStaleBeyondTheBoundAndNoneOfAStrictCacheAtAll() throws Exception {
        try (Stack stack =
                Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent())) {
            Map<Kind, Seen> seen = StalenessMain.run(
                    stack, Duration.ofSeconds(8), Duration.ofSeconds(1), List.of(Kind.WEIR, Kind.WEIR_STRICT));

            assertThat(seen.get(Kind.WEIR)).satisfies(weir -> {
                assertThat(weir.reads()).isGreaterThan(1_000);
                assertThat(weir.beyond()).isZero();
            });
            assertThat(seen.get(Kind.WEIR_STRICT)).satisfies(strict -> {
                assertThat(strict.reads()).isGreaterThan(1_000);
                assertThat(strict.stale()).isZero();
            });
        }
    }
}
