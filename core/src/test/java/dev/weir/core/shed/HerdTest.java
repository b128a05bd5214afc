package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.OpenLoop.Clients;
import dev.weir.core.shed.OpenLoop.Figures;
import dev.weir.core.shed.OpenLoop.Phase;
import dev.weir.core.shed.OpenLoop.Service;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten seconds' work arrives within a fifth of a second, most of it is refused, and everybody comes again: those who honour Retry-After when
 * it says, others when they like. A herd is a fifth of a second with many times what the service does in it.
 */
class HerdTest {

    private static final Service SERVICE = new Service(16, 0.020, 1);
    private static final double BUCKET_SECONDS = 0.2;
    private static final double WORK = SERVICE.capacity() * BUCKET_SECONDS;

    private OpenLoop loop = new OpenLoop(SERVICE, Clients.GIVE_UP, 1, 0);

    /** Arrivals by the fifth of a second, from right after the rush, in multiples of what the service does in one. */
    private double[] arrivalsAfterARush(Clients clients, DoubleUnaryOperator header, long seed, int seconds) {
        loop = new OpenLoop(SERVICE, clients, 1, seed);
        loop.gate(new OpenLoop.Weir(loop, ShedConfig.defaults(), true, seed, header));
        loop.run(Phase.of(20, 0.5));
        loop.run(new Phase(BUCKET_SECONDS, 50, 1, 0));
        double[] arrivals = new double[(int) (seconds / BUCKET_SECONDS)];
        long from = loop.nanoTime();
        loop.onArrival(at -> {
            int bucket = (int) ((at - from) / (BUCKET_SECONDS * 1e9));
            if (bucket < arrivals.length) {
                arrivals[bucket] += 1 / WORK;
            }
        });
        loop.run(new Phase(seconds, 0.5, 1, 0));
        return arrivals;
    }

    private static double most(double[] arrivals) {
        return Arrays.stream(arrivals).max().orElseThrow();
    }

    private void nobodyIsRefusedAnyMore() {
        Figures calm = loop.run(new Phase(10, 0.5, 1, 0));
        assertThat(calm.refused(Priority.NORMAL)).as(calm.toString()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void clientsThatHonourRetryAfterComeBackSpread(long seed) {
        double[] arrivals = arrivalsAfterARush(Clients.HONOUR_RETRY_AFTER, seconds -> seconds, seed, 60);

        assertThat(most(arrivals)).isLessThan(6);
        nobodyIsRefusedAnyMore();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void oneRetryAfterForAllMakesAHerd(long seed) {
        double[] arrivals = arrivalsAfterARush(Clients.HONOUR_RETRY_AFTER, seconds -> 5, seed, 60);

        assertThat(most(arrivals)).isGreaterThan(15);
    }

    @Test
    void clientsThatRetryAtOnceAreWorkedOff() {
        arrivalsAfterARush(Clients.RETRY_AT_ONCE, seconds -> seconds, 1, 40);

        nobodyIsRefusedAnyMore();
    }

    /** They are a herd by themselves, of which low requests stay refused; it must not be fed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aHerdThatNothingCanSpreadShrinksAndHardlyTouchesNormalRequests(long seed) {
        double[] arrivals = arrivalsAfterARush(Clients.RETRY_AFTER_A_SECOND, seconds -> seconds, seed, 120);

        double first = most(Arrays.copyOfRange(arrivals, 0, 25));
        double later = most(Arrays.copyOfRange(arrivals, 75, 100));
        assertThat(later).isLessThan(first);
        Figures after = loop.run(new Phase(10, 0.5, 1, 0));
        assertThat(after.refusedShare(Priority.NORMAL)).as(after.toString()).isLessThan(0.05);
    }

    /** Refusing makes no waves out of an even stream, whatever the clients do. */
    @ParameterizedTest
    @ValueSource(strings = {"HONOUR_RETRY_AFTER", "RETRY_AT_ONCE", "RETRY_AFTER_A_SECOND"})
    void anEvenOverloadStaysEven(Clients clients) {
        loop = new OpenLoop(SERVICE, clients, 1, 4);
        loop.gate(new OpenLoop.Weir(loop, ShedConfig.defaults(), true, 4));
        loop.run(Phase.of(20, 0.5));
        loop.run(Phase.of(10, 1.2));
        double[] arrivals = new double[50];
        long from = loop.nanoTime();
        loop.onArrival(at -> {
            int bucket = (int) ((at - from) / (BUCKET_SECONDS * 1e9));
            if (bucket < arrivals.length) {
                arrivals[bucket]++;
            }
        });
        Figures over = loop.run(new Phase(10, 1.2, 1, 0));

        double mean = Arrays.stream(arrivals).average().orElseThrow();
        assertThat(most(arrivals)).as(over.toString()).isLessThan(2 * mean);
    }
}
