package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void drawsDistinctFreePortsBelowThoseOfOutgoingConnections() {
        Ports ports = new Ports(new Random(1), port -> port % 2 == 0);
        Set<Integer> drawn = new HashSet<>();

        for (int i = 0; i < 200; i++) {
            int port = ports.choose("Redis", 0, "--port-redis");
            assertThat(port).isBetween(Ports.LOWEST, Ports.HIGHEST).isEven();
            assertThat(drawn.add(port)).isTrue();
        }
    }

    @Test
    void givesUpWhenNothingIsFree() {
        Ports ports = new Ports(new Random(1), port -> false);

        assertThatThrownBy(() -> ports.choose("Redis", 0, "--port-redis"))
                .hasMessage("No free port was found between 20000 and 31999; give fixed ports.");
    }

    @Test
    void takesAFixedPort() {
        assertThat(new Ports(new Random(1), port -> true).choose("Redis", 6379, "--port-redis"))
                .isEqualTo(6379);
    }

    @Test
    void namesAFixedPortThatIsTaken() {
        Ports ports = new Ports(new Random(1), port -> false);

        assertThatThrownBy(() -> ports.choose("Redis", 6379, "--port-redis"))
                .isInstanceOf(StackException.class)
                .hasMessage("Port 6379 for Redis is taken by another process: choose another with --port-redis,"
                        + " or leave it out and a free one is chosen.");
    }

    @Test
    void namesAPortThatWasGivenTwice() {
        Ports ports = new Ports(new Random(1), port -> true);
        ports.choose("PostgreSQL", 6379, "--port-postgres");

        assertThatThrownBy(() -> ports.choose("Redis", 6379, "--port-redis"))
                .hasMessageStartingWith("Port 6379 was given to two servers; give Redis another with --port-redis");
    }

    @Test
    void seesAPortThatIsListenedOn() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.isFreeHere(taken.getLocalPort())).isFalse();
        }
    }
}
