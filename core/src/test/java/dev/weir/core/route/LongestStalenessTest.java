package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.route.ReplicaSet.State;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bound that caches rely on, on simulated time. The primary writes one byte each millisecond, so that its position is the
 * time, and a replica at a position shows the state of that time.
 */
class LongestStalenessTest {

    private static final int INTERVAL = 100;
    private static final int TIMEOUT = 900;
    private static final int MAX_LAG = 5_000;
    private static final int FAILURES = 2;
    private static final RouteConfig CONFIG = new RouteConfig(
            new ReplicaPolicy(Integer.MAX_VALUE, Duration.ofMillis(MAX_LAG), FAILURES, 3, Duration.ZERO),
            Duration.ofMillis(INTERVAL),
            Duration.ofMillis(TIMEOUT),
            Duration.ofMillis(50),
            5,
            Duration.ofMillis(100),
            0,
            false);
    private static final long BOUND = CONFIG.longestStaleness().toMillis();

    private final ReplicaSet set = new ReplicaSet(List.of("a"), List.of(1.0), CONFIG.policy());

    @Test
    void isThirteenSecondsByDefault() {
        assertThat(RouteConfig.defaults().longestStaleness()).isEqualTo(Duration.ofMillis(13_300));
    }

    /** Every round takes all of its time, and the primary's position is read at its very beginning. */
    @Test
    void isReached() {
        int round = INTERVAL + TIMEOUT;
        int asked = 100_000;
        for (int at = 90_000; at <= asked; at += round) {
            primaryTold(at);
        }
        int stands = asked - MAX_LAG;
        int answered = asked + TIMEOUT + INTERVAL + TIMEOUT - 1;
        replicaTold(stands, answered);
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);

        primaryTold(asked + round);
        int lastFailure = answered + FAILURES * round;
        assertThat(set.failed(0, nanos(lastFailure - round))).isFalse();
        int stillServing = lastFailure - 1;
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
        assertThat(stillServing - stands).isBetween((int) BOUND - 3, (int) BOUND);
        assertThat(set.failed(0, nanos(lastFailure))).isTrue();
    }

    static IntStream seeds() {
        return IntStream.range(0, 150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void isNeverExceeded(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rounds primary = new Rounds(random);
        Rounds replica = new Rounds(random);
        int replayed = 1;
        int oldest = 0;
        for (int now = 1; now < 60_000; now++) {
            replayed = Math.max(replayed, replays(random, now, replayed));
            if (primary.endsAt(now, now)) {
                primaryTold(primary.asked);
            }
            if (replica.endsAt(now, replayed)) {
                if (random.nextInt(3) == 0) {
                    set.failed(0, nanos(now));
                } else {
                    replicaTold(replica.seen, now);
                }
            }
            if (set.view(0).state().serves()) {
                oldest = Math.max(oldest, now - replayed);
            }
        }
        assertThat((long) oldest).isBetween(1L, BOUND);
    }

    /** It mostly stands still, now and then it catches up, at times only in part. */
    private static int replays(SplittableRandom random, int now, int replayed) {
        return switch (random.nextInt(2_000)) {
            case 0 -> now;
            case 1 -> replayed + random.nextInt(now - replayed + 1);
            default -> replayed;
        };
    }

    private void primaryTold(int askedAt) {
        set.primaryAt(askedAt, nanos(askedAt));
    }

    private void replicaTold(int position, int now) {
        set.sampled(0, position, true, nanos(now));
    }

    private static long nanos(int millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Rounds one after another, many of them as long as they may be. */
    private static final class Rounds {
        private final SplittableRandom random;
        private int asked;
        private int seen;
        private int end;

        Rounds(SplittableRandom random) {
            this.random = random;
            begin(1, 1);
        }

        /** @param position what the server would tell of now */
        boolean endsAt(int now, int position) {
            if (now == end) {
                return true;
            }
            if (now == end + INTERVAL) {
                begin(now, position);
            }
            return false;
        }

        private void begin(int now, int position) {
            asked = now;
            seen = position;
            end = now + (random.nextBoolean() ? TIMEOUT : random.nextInt(1, TIMEOUT));
        }
    }
}
