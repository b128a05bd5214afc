package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final Progress progress = new Progress();

    @Test
    void anAnswerBetweenLookingAndWaitingIsNotMissed() {
        long seen = progress.count();
        progress.made();
        assertThat(progress.awaitBeyond(seen, TimeUnit.SECONDS.toNanos(30))).isTrue();
    }

    @Test
    void withoutAnAnswerTheWaitEnds() {
        assertThat(progress.awaitBeyond(progress.count(), 1_000_000)).isFalse();
        assertThat(progress.awaitBeyond(progress.count(), -1)).isFalse();
    }

    @Test
    void aReaderThatLooksAndWaitsSeesEveryAnswerOfAnotherThread() throws InterruptedException {
        var missed = new AtomicBoolean();
        Thread reader = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 5_000 && !missed.get(); i++) {
                missed.set(!progress.awaitBeyond(i, TimeUnit.SECONDS.toNanos(30)));
            }
        });
        for (int i = 0; i < 5_000; i++) {
            progress.made();
        }
        reader.join();
        assertThat(missed).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        Thread.currentThread().interrupt();
        assertThat(progress.awaitBeyond(progress.count(), TimeUnit.SECONDS.toNanos(30)))
                .isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
