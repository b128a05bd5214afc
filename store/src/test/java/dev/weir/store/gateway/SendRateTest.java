package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendRateTest {

    private final SendRate rate = new SendRate();

    @Test
    void withoutABacklogWhatIsPermittedCounts() {
        assertThat(rate.second(3, false, 2_000)).isEqualTo(2_000);
    }

    @Test
    void underABacklogWhatIsSentCounts() {
        double last = 0;
        for (int i = 0; i < 20; i++) {
            last = rate.second(800, true, 2_000);
        }

        assertThat(last).isBetween(799.0, 802.0);
    }

    @Test
    void isNeverMoreThanPermitted() {
        for (int i = 0; i < 20; i++) {
            rate.second(1_900, true, 2_000);
        }

        assertThat(rate.second(1_900, true, 500)).isEqualTo(500);
    }

    @Test
    void aStandstillIsNoRate() {
        rate.second(800, true, 2_000);
        double before = rate.second(800, true, 2_000);

        assertThat(rate.second(0, true, 2_000)).isEqualTo(before);
    }
}
