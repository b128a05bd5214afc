package dev.weir.core.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.publish.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandlerTargetTest {

    @Test
    void anErrorOfAnyKindCountsAsAFailure() throws InterruptedException {
        EventHandler endless = event -> {
            throw new StackOverflowError("too deep");
        };
        Target target = new HandlerTarget(Map.of("t", endless), 1);
        Event event = Event.of("t", "k", new byte[0]).withId(new UUID(0, 1));

        Target.Batch batch = target.begin(List.of(new StoredEvent(1, 1, 0, event)));

        assertThat(batch.await(Duration.ofSeconds(10))).isTrue();
        assertThat(batch.outcomes())
                .singleElement()
                .isEqualTo(new Outcome.Failed("java.lang.StackOverflowError: too deep"));
    }
}
