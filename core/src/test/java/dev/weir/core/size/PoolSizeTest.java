package dev.weir.core.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PoolSizeTest {

    @Test
    void fourCoresAndTwoSpindlesGiveTheTenOfThePlatform() {
        assertThat(PoolSize.ofServer(4, 2)).isEqualTo(10);
        assertThat(PoolSize.ofServer(1, 0)).isEqualTo(2);
    }

    @Test
    void aServerWithoutCoresIsRefused() {
        assertThatThrownBy(() -> PoolSize.ofServer(0, 1)).hasMessageStartingWith("0 cores and 1 spindles");
        assertThatThrownBy(() -> PoolSize.ofServer(Integer.MAX_VALUE, 1)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void connectionsInUseAreRateTimesTimeHeld() {
        assertThat(PoolSize.inUse(2_000, 0.003)).isCloseTo(6, within(1e-9));
        assertThatThrownBy(() -> PoolSize.inUse(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void instancesShareWhatIsNotReserved() {
        assertThat(new ConnectionBudget(100, 3, 8).perInstance()).isEqualTo(12);
        assertThat(new ConnectionBudget(100, 3, 98).perInstance()).isZero();
    }

    @Test
    void aBudgetWithNothingLeftIsRefused() {
        assertThatThrownBy(() -> new ConnectionBudget(3, 3, 1)).hasMessageContaining("something must be left");
        assertThatThrownBy(() -> new ConnectionBudget(100, 3, 0)).hasMessageStartingWith("0 instances");
    }
}
