package dev.weir.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublisherConfigTest {
    private static final PublisherConfig CONFIG = PublisherConfig.defaults();

    @Test
    void refusesAWrongValueWithASentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CONFIG.withBatch(20_000, Duration.ZERO))
                .withMessage(
                        "Publisher: batch-events is 20000; allowed is 1 to buffer-events (10000). Change batch-events.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CONFIG.withGiveUpAfter(Duration.ofMillis(1)))
                .withMessageContaining("give-up-after is PT0.001S; allowed is 1 s to 24 days");
    }

    @Test
    void passesClientSettingsThroughByTheirNames() {
        Map<String, Object> settings = KafkaTransports.settings(
                Map.of("bootstrap.servers", "localhost:1", "compression.type", "lz4", "batch.size", "1000"), CONFIG);
        assertThat(settings)
                .containsEntry("compression.type", "lz4")
                .containsEntry("batch.size", "1000")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("acks", "all")
                .containsEntry("delivery.timeout.ms", 120_000);
    }

    @Test
    void refusesClientSettingsThatWouldBreakItsPromise() {
        for (Map<String, String> bad : java.util.List.of(
                Map.of("acks", "1"),
                Map.of("enable.idempotence", "false"),
                Map.of("partitioner.ignore.keys", "true"),
                Map.of("partitioner.class", "Any"),
                Map.of("transactional.id", "t"),
                Map.of("key.serializer", "Any"),
                Map.of("linger.ms", "soon"))) {
            Map<String, String> settings = new java.util.HashMap<>(bad);
            settings.put("bootstrap.servers", "localhost:1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KafkaTransports.settings(settings, CONFIG))
                    .withMessageContaining(bad.keySet().iterator().next());
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaTransports.settings(Map.of(), CONFIG))
                .withMessageContaining("bootstrap.servers is missing");
    }

    @Test
    void pausesDoubleUpToTheLongestAndVaryInTheirUpperHalf() {
        Backoff backoff = new Backoff(100, 1_000);
        assertThat(backoff.pauseNanos(1, 0)).isEqualTo(50);
        assertThat(backoff.pauseNanos(1, 0.999)).isBetween(99L, 100L);
        assertThat(backoff.pauseNanos(3, 0)).isEqualTo(200);
        assertThat(backoff.pauseNanos(5, 0.5)).isEqualTo(750);
        assertThat(backoff.pauseNanos(1_000, 0)).isEqualTo(500);
    }
}
