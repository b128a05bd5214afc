package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UpkeepTest {
    private final Upkeep upkeep = new Upkeep(0);
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void workThatComesSoonAfterOtherWorkWaits() {
        upkeep.execute(runs::incrementAndGet);
        upkeep.runIfDue(0);
        assertThat(runs).hasValue(1);

        upkeep.execute(runs::incrementAndGet);
        upkeep.runIfDue(1);
        assertThat(runs).hasValue(1);

        upkeep.runIfDue(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(runs).hasValue(2);
        upkeep.runIfDue(TimeUnit.MILLISECONDS.toNanos(2));
        assertThat(runs).hasValue(2);
    }

    @Test
    void aFillDoesNotWaitForIt() {
        upkeep.execute(runs::incrementAndGet);
        upkeep.runIfDue(0);
        upkeep.execute(runs::incrementAndGet);

        upkeep.run();

        assertThat(runs).hasValue(2);
    }

    @Test
    void noWorkIsLost() {
        upkeep.execute(runs::incrementAndGet);
        upkeep.execute(runs::incrementAndGet);
        upkeep.run();

        assertThat(runs).hasValue(2);
    }
}
