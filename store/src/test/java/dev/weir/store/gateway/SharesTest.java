package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharesTest {

    private static final double BACKLOG = Double.POSITIVE_INFINITY;

    private final Shares shares = new Shares(1_000);

    @Test
    void whoIsAloneHasTheWholeLimitAtOnce() {
        assertThat(shares.next(0, List.of())).isEqualTo(1_000);
        assertThat(shares.next(BACKLOG, List.of())).isEqualTo(1_000);
    }

    @Test
    void equalNeedsAreEqualShares() {
        assertThat(Shares.fair(1_000, BACKLOG, List.of(BACKLOG))).isCloseTo(500, within(0.01));
        assertThat(Shares.fair(1_000, 0, List.of(0.0, 0.0, 0.0))).isCloseTo(250, within(0.01));
    }

    @Test
    void whatAnInstanceWithoutMessagesCannotUseIsTheOthers() {
        assertThat(Shares.fair(1_000, BACKLOG, List.of(0.0))).isCloseTo(975, within(0.01));
        assertThat(Shares.fair(1_000, 0, List.of(BACKLOG))).isCloseTo(25, within(0.01));
        assertThat(Shares.fair(1_000, BACKLOG, List.of(100.0, BACKLOG))).isCloseTo(450, within(0.01));
    }

    @Test
    void theSharesOfAllAreTheLimitWhateverTheyNeed() {
        var random = new Random(1);
        for (int round = 0; round < 1_000; round++) {
            List<Double> needs = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(8); i++) {
                needs.add(random.nextInt(4) == 0 ? BACKLOG : random.nextDouble() * 800);
            }
            double sum = 0;
            for (int own = 0; own < needs.size(); own++) {
                List<Double> others = new ArrayList<>(needs);
                others.remove(own);
                sum += Shares.fair(1_000, needs.get(own), others);
            }
            assertThat(sum).as("%s", needs).isCloseTo(1_000, within(0.01));
        }
    }

    @Test
    void aShareIsLoweredAtOnceAndRaisedWhenTheOthersHaveSeenTheNeed() {
        for (int i = 0; i < 3; i++) {
            shares.next(BACKLOG, List.of(0.0));
        }
        assertThat(shares.next(BACKLOG, List.of(0.0))).isCloseTo(975, within(0.01));

        assertThat(shares.next(BACKLOG, List.of(BACKLOG))).isCloseTo(500, within(0.01));
        assertThat(shares.next(BACKLOG, List.of(0.0))).isCloseTo(500, within(0.01));
        assertThat(shares.next(BACKLOG, List.of(0.0))).isCloseTo(500, within(0.01));
        assertThat(shares.next(BACKLOG, List.of(0.0))).isCloseTo(975, within(0.01));
    }

    @Test
    void whoWasAloneSharesWithTheNextAtOnce() {
        shares.next(BACKLOG, List.of());

        assertThat(shares.next(BACKLOG, List.of(BACKLOG))).isCloseTo(500, within(0.01));
        assertThat(shares.next(BACKLOG, List.of(0.0))).isCloseTo(500, within(0.01));
    }

    @Test
    void whoComesNewBeginsWithLittle() {
        assertThat(shares.next(BACKLOG, List.of(BACKLOG))).isCloseTo(25, within(0.01));
        assertThat(shares.next(BACKLOG, List.of(BACKLOG))).isCloseTo(25, within(0.01));
        assertThat(shares.next(BACKLOG, List.of(BACKLOG))).isCloseTo(500, within(0.01));
    }

    @Test
    void theNeedIsWhatWasSentAndAQuarterMoreOrAllThereIs() {
        var demand = new Demand();

        assertThat(demand.second(100, false)).isEqualTo(125);
        assertThat(demand.second(10, false)).isEqualTo(125);
        assertThat(demand.second(10, true)).isInfinite();
        for (int i = 0; i < 5; i++) {
            demand.second(10, false);
        }
        assertThat(demand.second(10, false)).isEqualTo(12.5);
    }
}
