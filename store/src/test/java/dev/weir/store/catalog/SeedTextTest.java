package dev.weir.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SeedTextTest {

    private static final int SAMPLE = 5_000;

    @Test
    void theJsonOfEveryProductHas800To900Bytes() {
        LongSummaryStatistics bytes = LongStream.rangeClosed(1, SAMPLE)
                .map(id -> JsonMapper.shared().writeValueAsBytes(SeedText.product(id * 20)).length)
                .summaryStatistics();
        System.out.println("JSON of a product: " + bytes);

        assertThat(bytes.getMin()).isGreaterThanOrEqualTo(800);
        assertThat(bytes.getMax()).isLessThanOrEqualTo(900);
    }

    @Test
    void anIdAlwaysMeansTheSameProduct() {
        assertThat(SeedText.product(4711)).isEqualTo(SeedText.product(4711));
    }

    @Test
    void productsDiffer() {
        assertThat(LongStream.rangeClosed(1, SAMPLE)
                        .mapToObj(id -> SeedText.product(id).description())
                        .distinct())
                .hasSizeGreaterThan(SAMPLE * 9 / 10);
        assertThat(LongStream.rangeClosed(1, SAMPLE)
                        .mapToObj(id -> SeedText.product(id).name())
                        .distinct())
                .hasSizeGreaterThan(SAMPLE * 9 / 10);
    }

    @Test
    void textNeedsNoEscapeInTheCopyFormat() {
        assertThat(LongStream.rangeClosed(1, SAMPLE)
                        .mapToObj(id -> SeedText.product(id).toString()))
                .noneMatch(text -> text.contains("\t") || text.contains("\n") || text.contains("\\"));
    }
}
