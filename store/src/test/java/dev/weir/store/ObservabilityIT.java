package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservabilityIT {

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"})
    void aHealthyStoreIsUp(String path) {
        var answer = store.http().get(path);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("status").asString()).isEqualTo("UP");
    }

    @Test
    void theMetricsADiagnosisReadsAreThere() {
        store.http().get("/api/products/1");

        String metrics = store.http().get("/actuator/prometheus").body();

        assertThat(metrics)
                .contains("tomcat_threads_config_max_threads{name=\"")
                .contains("tomcat_threads_busy_threads{name=\"")
                .contains("tomcat_connections_current_connections{name=\"")
                .contains("hikaricp_connections_pending{pool=\"store\"}")
                .contains("hikaricp_connections_max{pool=\"store\"} 10.0")
                .contains("http_server_requests_seconds_count{")
                .contains("jvm_memory_used_bytes{")
                .contains("process_cpu_usage");
    }
}
