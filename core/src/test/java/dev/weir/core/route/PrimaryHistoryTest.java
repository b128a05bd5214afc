package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrimaryHistoryTest {
    private static final long SPAN = 3200;

    private final PrimaryHistory history = new PrimaryHistory(SPAN);

    @Test
    void whatEqualsTheNewestPositionIsNotOldHoweverLongNothingWasWritten() {
        history.add(100, 0);
        history.add(100, 5000);
        assertThat(history.ageNanos(100)).isZero();
    }

    @Test
    void ageIsCountedFromTheLastSampleThatWasReached() {
        history.add(100, 1000);
        history.add(200, 1500);
        history.add(300, 2000);
        assertThat(history.ageNanos(250)).isEqualTo(500);
        assertThat(history.ageNanos(100)).isEqualTo(1000);
    }

    @Test
    void ageIsNeverToldTooLow() {
        for (int i = 0; i < 200; i++) {
            history.add(100 + i, i * 7L);
        }
        for (int behind = 1; behind < 150; behind++) {
            long age = history.ageNanos(299 - behind);
            assertThat(age).isGreaterThanOrEqualTo(behind * 7L).isLessThan(behind * 7L + SPAN / 32 + 7);
        }
    }

    @Test
    void whileThePrimaryIsAwayNothingAges() {
        history.add(100, 0);
        history.add(200, 1000);
        assertThat(history.ageNanos(150)).isEqualTo(1000);
        assertThat(history.ageNanos(150)).isEqualTo(1000);
    }

    @Test
    void whatIsOlderThanTheMemoryIsTooOldForAnything() {
        for (int i = 0; i < 1000; i++) {
            history.add(100 + i, i * SPAN / 10);
        }
        assertThat(history.ageNanos(50)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void rightAfterTheStartTheAgeOfWhatWasBeforeIsUnknown() {
        assertThat(history.ageNanos(0)).isEqualTo(PrimaryHistory.UNKNOWN);
        history.add(100, 1000);
        assertThat(history.ageNanos(99)).isEqualTo(PrimaryHistory.UNKNOWN);
        history.add(200, 1100);
        assertThat(history.ageNanos(99)).isEqualTo(PrimaryHistory.UNKNOWN);
        assertThat(history.ageNanos(100)).isEqualTo(100);
    }

    @Test
    void aPrimaryThatStartsOverForgetsWhatWas() {
        history.add(1000, 0);
        history.add(10, 1000);
        assertThat(history.ageNanos(10)).isZero();
    }
}
