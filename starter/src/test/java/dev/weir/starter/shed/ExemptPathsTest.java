package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class ExemptPathsTest {

    @ParameterizedTest
    @CsvSource({
        ", /status;/actuator;/livez;/readyz",
        "server.servlet.context-path=/shop, /status;/actuator;/livez;/readyz",
        "spring.mvc.servlet.path=/api, /status;/api/actuator;/api/livez;/api/readyz",
        "spring.mvc.servlet.path=/api/, /status;/api/actuator;/api/livez;/api/readyz",
        "spring.mvc.servlet.path=/, /status;/actuator;/livez;/readyz",
        "management.endpoints.web.base-path=/manage/, /status;/manage;/livez;/readyz",
        "management.endpoints.web.base-path=/, /status;/health;/metrics;/prometheus;/livez;/readyz",
        "management.server.port=8080, /status;/actuator;/livez;/readyz",
        "management.server.port=9090, /status;/livez;/readyz",
        "management.server.port=-1, /status;/livez;/readyz",
    })
    void areWhereTheActuatorIs(@Nullable String setting, String paths) {
        var environment = new MockEnvironment();
        if (setting != null) {
            int equals = setting.indexOf('=');
            environment.setProperty(setting.substring(0, equals), setting.substring(equals + 1));
        }
        assertThat(ExemptPaths.of(List.of("/status"), environment).paths()).containsExactly(paths.split(";", -1));
    }
}
