package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedOriginsTest {

    private final AllowedOrigins allowed =
            new AllowedOrigins(List.of("https://hooks.example.com", "http://127.0.0.1:9000"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://hooks.example.com/x?y=1",
                "https://hooks.example.com:443",
                "HTTPS://Hooks.Example.COM/x",
                "http://127.0.0.1:9000/sent"
            })
    void takesWhatLeadsToAnAllowedOrigin(String url) {
        assertThat(allowed.objection(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example.com/x",
                "https://hooks.example.com:8443/",
                "https://hooks.example.com.evil.example/",
                "https://evil.example/?https://hooks.example.com",
                "https://hooks.example.com@evil.example/",
                "https://user:pw@hooks.example.com/",
                "https://hooks.example.com./",
                "http://127.0.0.1:9001/",
                "http://127.1:9000/",
                "http://0x7f000001:9000/",
                "http://[::ffff:127.0.0.1]:9000/",
                "http://localhost:9000/",
                "https://hooks.example.com/#x",
                "https:hooks.example.com",
                "//hooks.example.com/",
                "file:///etc/passwd",
                "gopher://127.0.0.1:9000/",
                "https://hooks.example.com\\@evil.example/",
                "https://hooks.example.com/ a",
                "not a url",
                ""
            })
    void refusesEverythingElse(String url) {
        assertThat(allowed.objection(url)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hooks.example.com", "https://*.example.com", "https://hooks.example.com/path", "https://"})
    void aSettingThatIsNoOriginIsRefused(String origin) {
        assertThatThrownBy(() -> new AllowedOrigins(List.of(origin)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + origin + "': give scheme, host and port alone");
    }

    @Test
    void withoutOriginsNothingIsAllowed() {
        assertThat(new AllowedOrigins(List.of()).objection("https://hooks.example.com/"))
                .isPresent();
    }
}
