package dev.weir.lab.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SizingTest {

    @Test
    void sizesTheServiceOfTheFieldReport() {
        Sizing sizing = Sizing.of(inputs(50, 8, 1));

        assertThat(sizing.line("worker-threads").value()).isEqualTo(800);
        assertThat(sizing.line("worker-threads").formula())
                .isEqualTo("10,000/s x 50 ms = 500 busy at once (Little's law), x 1.6 headroom");
        assertThat(sizing.line("worker-threads").setting()).isEqualTo("server.tomcat.threads.max");
        assertThat(sizing.line("spare-threads").value()).isEqualTo(100);
        assertThat(sizing.line("connections").value()).isEqualTo(1_500);
        assertThat(sizing.line("max-connections").value()).isEqualTo(8_192);
        assertThat(sizing.line("accept-count").value()).isEqualTo(1_000);
        assertThat(sizing.line("open-files").value()).isEqualTo(16_384);
        assertThat(sizing.warnings()).isEmpty();
    }

    @Test
    void dividesTheRateAmongInstances() {
        Sizing sizing = Sizing.of(inputs(50, 8, 4));

        assertThat(sizing.line("worker-threads").value()).isEqualTo(200);
        assertThat(sizing.line("connections").value()).isEqualTo(375);
    }

    @Test
    void needsAConnectionForEachRequestInsideWhereAnswersTakeLongerThanClientsPause() {
        Sizing sizing = Sizing.of(inputs(2_000, 8, 100));

        assertThat(sizing.line("connections").value()).isEqualTo(200);
        assertThat(sizing.line("connections").formula())
                .isEqualTo("100/s x 2 s between two requests of a connection, which waits for its answer first");
    }

    @Test
    void keepsAllThreadsReadyWhereTheyAreFew() {
        Sizing sizing = Sizing.of(inputs(50, 8, 100));

        assertThat(sizing.line("spare-threads").value()).isEqualTo(8);
        assertThat(sizing.line("spare-threads").formula()).isEqualTo("all of them, as they are fewer than 10");
    }

    @Test
    void warnsOfMoreThreadsThanTheCoresCanSwitchBetween() {
        assertThat(Sizing.of(inputs(125, 8, 1)).warnings())
                .singleElement()
                .asString()
                .startsWith("2,000 threads are 250 a core, and take 2,000 MB of stacks");
    }

    @Test
    void warnsWhereTheCpuCannotCarryTheRate() {
        assertThat(Sizing.of(new SizingInputs(
                                10_000,
                                Duration.ofMillis(5),
                                8,
                                1,
                                1.6,
                                Duration.ofMillis(150),
                                Duration.ofMillis(1),
                                null))
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("the CPU cannot carry it: 10 of 8 cores would be busy")
                .endsWith("use 2 instances");
    }

    @Test
    void sizesPoolsByCoresAndSpindles() {
        Sizing sizing = Sizing.of(inputs(50, 8, 1, new SizingInputs.Database(Duration.ofMillis(3), 4, 2, 4, 0.9, 100)));

        assertThat(sizing.line("db-connections-busy").value()).isEqualTo(30);
        assertThat(sizing.line("db-write-pool").value()).isEqualTo(10);
        assertThat(sizing.line("db-read-pool").value()).isEqualTo(40);
        assertThat(sizing.warnings()).isEmpty();
    }

    @Test
    void warnsWhereThePoolIsTooSmallForTheRate() {
        Sizing sizing = Sizing.of(inputs(50, 8, 2, new SizingInputs.Database(Duration.ofMillis(3), 4, 1, 0, 0.9, 100)));

        assertThat(sizing.line("db-pool").value()).isEqualTo(4);
        assertThat(sizing.warnings()).singleElement().asString().startsWith("DB pool: 15 connections would be busy");
    }

    @Test
    void warnsWhereTheInstancesOpenMoreConnectionsThanTheServerAllows() {
        Sizing sizing =
                Sizing.of(inputs(50, 8, 1, new SizingInputs.Database(Duration.ofMillis(1), 64, 2, 0, 0.9, 100)));

        assertThat(sizing.warnings())
                .singleElement()
                .asString()
                .startsWith("DB pool: 1 instances together open 130 connections to a server that allows 100");
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatIllegalArgumentException().isThrownBy(() -> inputs(0, 8, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> inputs(50, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> inputs(50, 8, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SizingInputs.Database(Duration.ofMillis(1), 4, 1, 0, Double.NaN, 100));
    }

    private static SizingInputs inputs(long latencyMillis, int cores, int instances) {
        return inputs(latencyMillis, cores, instances, null);
    }

    private static SizingInputs inputs(
            long latencyMillis, int cores, int instances, SizingInputs.@Nullable Database database) {
        return new SizingInputs(
                10_000,
                Duration.ofMillis(latencyMillis),
                cores,
                instances,
                1.6,
                Duration.ofMillis(150),
                null,
                database);
    }
}
