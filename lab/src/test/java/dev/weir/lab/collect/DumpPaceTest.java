package dev.weir.lab.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DumpPaceTest {

    @Test
    void keepsDumpsToASmallPartOfTheTime() {
        assertThat(DumpPace.after(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(250));
        assertThat(DumpPace.after(Duration.ofMillis(20))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void takesSeveralInAStepOfFourSecondsHoweverSlowTheyAre() {
        assertThat(DumpPace.after(Duration.ofMillis(200))).isEqualTo(Duration.ofSeconds(1));
    }
}
