package dev.weir.lab.collect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeanTest {

    @Test
    void leavesTheLastGaugeOutOfItsMean() {
        Mean mean = new Mean();
        assertThat(mean.empty()).isTrue();
        mean.add(4);
        assertThat(mean.value()).isEqualTo(4);
        mean.add(6);
        mean.add(0);
        assertThat(mean.value()).isEqualTo(5);
    }
}
