package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The proof of the promise: random orders of reads, writes, deliveries, losses and outages against a plain model.
 * {@code -Dweir.cache.seeds=1000} runs more of them.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProtocolTest {
    private static final int SEEDS = Integer.getInteger("weir.cache.seeds", 6);
    private static final long FIRST = Long.getLong("weir.cache.first-seed", 1);

    @ParameterizedTest
    @CsvSource({"OF_THE_NETWORK,false", "OF_THE_NETWORK,true", "OF_REDIS,false", "OF_REDIS,true"})
    void noReadIsStaleBeyondThePromise(Simulation.Faults faults, boolean strict) {
        long reads = 0;
        long localHits = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Simulation simulation = new Simulation(seed, faults, strict, Duration.ofSeconds(30));
            try {
                simulation.run();
            } catch (AssertionError stale) {
                throw new AssertionError("Seed " + seed + ": " + stale.getMessage(), stale);
            }
            reads += simulation.reads();
            localHits += simulation.localHits();
        }
        assertThat(localHits).isBetween(reads / 20, reads);
    }
}
