package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeanTest {

    private final Mean mean = new Mean(100, 0.05);

    @Test
    void isWhatIsAssumedUntilSomethingIsMeasured() {
        assertThat(mean.value()).isEqualTo(100);
        mean.assume(70);
        assertThat(mean.value()).isEqualTo(70);
    }

    @Test
    void theFirstMeasurementTakesTheAssumptionsPlace() {
        mean.add(20);
        mean.assume(70);

        assertThat(mean.value()).isEqualTo(20);
    }

    @Test
    void fewMeasurementsCountAlike() {
        mean.add(500);
        mean.add(50);
        mean.add(50);

        assertThat(mean.value()).isCloseTo(200, within(1e-9));
    }

    @Test
    void manyAreFollowed() {
        mean.add(500);
        for (int i = 0; i < 200; i++) {
            mean.add(50);
        }

        assertThat(mean.value()).isCloseTo(50, within(1.0));
    }
}
