package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineTest {
    private final CacheCounters counters = new CacheCounters();
    private final Line line = new Line(CacheConfig.named("texts"), counters, 0);

    @Test
    void anEpochThatABeatFindsReplacedDropsTheCache() {
        line.beatAnswered(1, line.epochChanges(), 0);
        assertThat(line.epoch()).isEqualTo(1);
        assertThat(counters.drops.sum()).as("there was none before").isZero();

        line.beatAnswered(1, line.epochChanges(), 0);
        assertThat(counters.drops.sum()).isZero();

        line.beatAnswered(2, line.epochChanges(), 0);
        assertThat(line.epoch()).isEqualTo(2);
        assertThat(counters.drops.sum()).isEqualTo(1);
    }

    @Test
    void aBeatSentBeforeAClearTellsNothing() {
        long changesWhenSent = line.epochChanges();
        line.epochIs(7);

        line.beatAnswered(6, changesWhenSent, 0);

        assertThat(line.epoch()).isEqualTo(7);
    }
}
