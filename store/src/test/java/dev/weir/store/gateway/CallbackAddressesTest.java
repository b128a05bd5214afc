package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackAddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "172.20.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "0.0.0.0",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fd00::1",
                "ff02::1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "::ffff:10.0.0.1"
            })
    void aNameThatLeadsInsideIsRefused(String address) {
        assertThatThrownBy(() -> addresses(List.of(), address).of("hooks.example.com"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("hooks.example.com leads to ")
                .hasMessageContaining("allowed-networks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "172.15.0.1", "2606:4700::1111"})
    void aNameThatLeadsOutsideIsNot(String address) throws UnknownHostException {
        assertThat(addresses(List.of(), address).of("hooks.example.com"))
                .containsExactly(InetAddress.ofLiteral(address));
    }

    @Test
    void ofSeveralAddressesThoseInsideAreLeftOut() throws UnknownHostException {
        assertThat(addresses(List.of(), "10.0.0.1", "8.8.8.8").of("hooks.example.com"))
                .containsExactly(InetAddress.ofLiteral("8.8.8.8"));
    }

    @Test
    void anAllowedNetworkIsNotInside() throws UnknownHostException {
        var addresses = addresses(List.of(Network.parse("10.1.0.0/16").orElseThrow()), "10.1.2.3", "10.2.0.1");

        assertThat(addresses.of("hooks.internal")).containsExactly(InetAddress.ofLiteral("10.1.2.3"));
    }

    @Test
    void localhostMeansItself() throws UnknownHostException {
        assertThat(addresses(List.of(), "127.0.0.1").of("LocalHost"))
                .containsExactly(InetAddress.ofLiteral("127.0.0.1"));
    }

    private static CallbackAddresses addresses(List<Network> allowed, String... found) {
        return new CallbackAddresses(
                allowed, host -> Stream.of(found).map(InetAddress::ofLiteral).toArray(InetAddress[]::new));
    }
}
