package dev.weir.store.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderMainTest {

    @Test
    void settingsAreGivenForEachEndpoint() {
        var options = ProviderMain.parse(
                "--port=0",
                "--payments.latency-millis=20",
                "--payments.decline-rate=0.1",
                "--messages.limit-per-second=7");

        assertThat(options.payments()).isEqualTo(new Behaviour(20, 0, 0, 0.1, 0));
        assertThat(options.messages()).isEqualTo(new Behaviour(50, 0, 0, 0, 7));
    }

    @ParameterizedTest
    @CsvSource({
        "port, not an argument of the form",
        "--port=70000, whole number from 0 to 65535",
        "--port=x, is not a number",
        "--prot=1, There is no argument --prot",
        "--payments.latency=1, There is no setting 'latency'",
        "--payments.failure-rate=2, from 0 to 1"
    })
    void aWrongArgumentIsExplained(String argument, String message) {
        assertThatThrownBy(() -> ProviderMain.parse(argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
