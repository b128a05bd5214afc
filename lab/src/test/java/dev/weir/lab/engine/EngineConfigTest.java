package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EngineConfigTest {
    private final EngineConfig config = EngineConfig.of(Requests.at(1), 4, Requests.get());

    @Test
    void refusesMoreThreadsThanConnections() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withThreads(5))
                .withMessageContaining("4")
                .withMessageContaining("5 threads");
    }

    @Test
    void refusesTimeoutsOfNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withTimeouts(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO))
                .withMessageContaining("connect time-out");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withTimeouts(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO))
                .withMessageContaining("request time-out");
    }

    @Test
    void refusesAnAddressThatIsNotResolved() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineConfig.of(InetSocketAddress.createUnresolved("test", 80), 1, Requests.get()))
                .withMessageContaining("resolve");
    }
}
