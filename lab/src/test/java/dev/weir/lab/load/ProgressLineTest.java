package dev.weir.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.measure.SecondSample;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final StringWriter written = new StringWriter();

    @Test
    void renewsOneLineOnATerminalAndRemovesItAtTheEnd() {
        ProgressLine progress = new ProgressLine(new PrintWriter(written), true);

        progress.accept(second(0, 1));
        progress.accept(second(1, 2));
        progress.end();

        assertThat(written.toString())
                .isEqualTo("\r\u001b[K   1 s      1,000/s  p99   3.5 ms  in flight     12  errors 1"
                        + "\r\u001b[K   2 s      1,000/s  p99   3.5 ms  in flight     12  errors 3\r\u001b[K");
    }

    @Test
    void printsAPlainLineEveryFiveSecondsElsewhere() {
        ProgressLine progress = new ProgressLine(new PrintWriter(written, true), false);

        IntStream.range(0, 12).forEach(i -> progress.accept(second(i, 0)));
        progress.end();

        assertThat(written.toString().lines())
                .containsExactly(
                        "   5 s      1,000/s  p99   3.5 ms  in flight     12  errors 0",
                        "  10 s      1,000/s  p99   3.5 ms  in flight     12  errors 0");
    }

    private static SecondSample second(int index, long failed) {
        return new SecondSample(index, 1_000, 1_000, 1_000, failed, 12, 1_000_000, 3_500_000);
    }
}
