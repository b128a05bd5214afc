package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.2, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "172.16.0.0/12, 172.31.255.255, true",
        "172.16.0.0/12, 172.32.0.0, false",
        "172.16.0.0/12, 172.15.255.255, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "127.0.0.1/32, 127.0.0.1, true",
        "127.0.0.1/32, 127.0.0.2, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fc00::1, false",
        "10.0.0.0/8, fd00::1, false",
        "127.0.0.0/8, ::ffff:127.0.0.1, true"
    })
    void holdsTheAddressesWithItsFirstBits(String network, String address, boolean contained) {
        assertThat(Network.parse(network).orElseThrow().contains(InetAddress.ofLiteral(address)))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "name/8", "::/129"})
    void anythingElseIsNone(String text) {
        assertThat(Network.parse(text)).isEmpty();
    }
}
