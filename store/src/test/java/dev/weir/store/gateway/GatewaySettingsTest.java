package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;

class GatewaySettingsTest {

    @Test
    void theGatewayIsOffByDefaultAndItsDefaultsAreRight() throws IOException {
        GatewaySettings settings = settings("store.gateway.enabled", "false");

        assertThat(settings.enabled()).isFalse();
        assertThat(settings.providerPerSecond()).isEqualTo(2_000);
        assertThat(settings.callbacks().origins()).isEmpty();
    }

    @Test
    void settingsOfKafkaKeepTheirNames() throws IOException {
        GatewaySettings settings = settings("store.gateway.kafka.bootstrap.servers", "127.0.0.1:9092");

        assertThat(settings.client()).containsEntry("bootstrap.servers", "127.0.0.1:9092");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enabled | true | kafka.bootstrap.servers is missing",
                "max-wait | 10ms | max-wait is 10ms: give 1000ms to 86400000ms.",
                "provider-per-second | 0 | provider-per-second is 0.0: give 1 to 1000000.",
                "clients.per-second | -1 | clients.per-second is -1.0: give above 0 to 1000000.",
                "callbacks.allowed-origins | https://a.example | callbacks.secret has 0 characters",
                "callbacks.allowed-networks | 10.0.0.0 | callbacks.allowed-networks has '10.0.0.0': give an address and",
                "callbacks.allowed-networks | 10.0.0.0/33 | callbacks.allowed-networks has '10.0.0.0/33': give an address and",
                "callbacks.allowed-networks | a/8 | callbacks.allowed-networks has 'a/8': give an address and",
                "retry-backoff | 2h | retry-backoff is 7200000ms: give 1ms to 60000ms."
            })
    void aWrongSettingIsOneSentence(String name, String value, String message) {
        assertThatThrownBy(() -> settings("store.gateway." + name, value))
                .rootCause()
                .hasMessageContaining("store.gateway." + message);
    }

    /** The value of a setting in application.yml. */
    static String property(String name) throws IOException {
        return environment().getRequiredProperty(name);
    }

    private static GatewaySettings settings(String name, String value) throws IOException {
        return settings(Map.of(name, value));
    }

    /** The defaults, and these. */
    static GatewaySettings settings(Map<String, Object> changes) throws IOException {
        var environment = environment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", changes));
        return new Binder(ConfigurationPropertySources.from(environment.getPropertySources()))
                .bind("store.gateway", GatewaySettings.class)
                .get();
    }

    private static StandardEnvironment environment() throws IOException {
        var environment = new StandardEnvironment();
        new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yml"))
                .forEach(environment.getPropertySources()::addLast);
        return environment;
    }
}
