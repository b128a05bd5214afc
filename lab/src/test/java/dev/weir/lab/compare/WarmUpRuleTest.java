package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpRuleTest {

    @Test
    void isNotSettledBeforeThreeRates() {
        assertThat(WarmUpRule.settled(List.of(100.0, 100.0))).isFalse();
    }

    @Test
    void isNotSettledWhileTheRateRises() {
        assertThat(WarmUpRule.settled(List.of(100.0, 100.0, 100.0, 110.0))).isFalse();
    }

    @Test
    void isSettledWhereTheLastThreeAreAlike() {
        assertThat(WarmUpRule.settled(List.of(10.0, 97.0, 100.0, 98.0))).isTrue();
    }

    @Test
    void isNotSettledWhereNothingIsAnswered() {
        assertThat(WarmUpRule.settled(List.of(0.0, 0.0, 0.0))).isFalse();
    }
}
