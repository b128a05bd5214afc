package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockBootstrapTest {

    @Test
    void keepsNeighboursTogether() {
        int n = 1_000;
        int[] picks = new BlockBootstrap(new Random(1)).picks(n);

        long joined = IntStream.range(1, n)
                .filter(i -> picks[i] == (picks[i - 1] + 1) % n)
                .count();

        assertThat(joined).isBetween(860L, 940L);
    }

    @Test
    void takesEverySecondAsOftenAsAnyOther() {
        int n = 10;
        int[] counts = new int[n];
        BlockBootstrap bootstrap = new BlockBootstrap(new Random(1));
        for (int i = 0; i < 10_000; i++) {
            Arrays.stream(bootstrap.picks(n)).forEach(pick -> counts[pick]++);
        }

        assertThat(Arrays.stream(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
    }

    @Test
    void theSameSeedGivesTheSameResample() {
        assertThat(new BlockBootstrap(new Random(7)).picks(20)).isEqualTo(new BlockBootstrap(new Random(7)).picks(20));
    }
}
