package dev.weir.starter.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.watch.Pin;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class PinningLogTest {

    private static final int SITES = 50;

    private long nowNanos;
    private final PinningLog.Stacks stacks = new PinningLog.Stacks(() -> nowNanos);

    @Test
    void aServiceThatPinsEverywhereFillsNoLog(CapturedOutput output) {
        for (int round = 0; round < 3; round++) {
            boolean first = round == 0;
            IntStream.range(0, SITES).forEach(site -> stacks.pinned(pin(site), first));
        }
        assertThat(logged(output)).isEqualTo(PinningLog.MOST_STACKS);
        assertThat(output.getOut().lines().toList())
                .hasSizeLessThan(PinningLog.MOST_STACKS * (PinningLog.MOST_FRAMES + 3))
                .anyMatch(line -> line.strip().equals("... and 41 more frames"));
    }

    @Test
    void everyPlaceIsLoggedOnceIfOnlyLater(CapturedOutput output) {
        IntStream.range(0, SITES).forEach(site -> stacks.pinned(pin(site), true));
        for (int minute = 0; minute < SITES; minute++) {
            nowNanos += PinningLog.SPAN.toNanos();
            IntStream.range(0, SITES).forEach(site -> stacks.pinned(pin(site), false));
        }
        assertThat(logged(output)).isEqualTo(SITES);
        for (int site = 0; site < SITES; site++) {
            assertThat(output.getOut()).contains("at shop.Place" + site + ".block:1;");
        }
    }

    @Test
    void aPlaceThatTheWatchDoesNotKeepIsNotLogged(CapturedOutput output) {
        stacks.pinned(pin(1), false);
        assertThat(logged(output)).isZero();
    }

    private static long logged(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("A virtual thread blocked for"))
                .count();
    }

    private static Pin pin(int site) {
        Stream<String> deep = IntStream.range(0, 60).mapToObj(i -> "shop.Deep.call:" + i);
        List<String> stack =
                Stream.concat(Stream.of("shop.Place" + site + ".block:1"), deep).toList();
        return new Pin(Duration.ofMillis(30), "Native frame", stack);
    }
}
