package dev.weir.store.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class DatabaseUnreachableAnalyzerTest {

    private final DatabaseUnreachableAnalyzer analyzer = new DatabaseUnreachableAnalyzer(environment(
            Map.of("spring.datasource.url", "jdbc:postgresql://db/store", "spring.datasource.username", "anna")));

    @ParameterizedTest
    @CsvSource({
        "CONNECTION_UNABLE_TO_CONNECT, cannot reach its database at jdbc:postgresql://db/store, spring.datasource.url",
        "INVALID_PASSWORD, does not let the user 'anna' in, spring.datasource.password"
    })
    void everyWayNotToGetAConnectionHasItsAdvice(PSQLState state, String description, String action) {
        FailureAnalysis analysis = Objects.requireNonNull(
                analyzer.analyze(new IllegalStateException(new PSQLException("refused\n  Hint: x", state))));

        assertThat(analysis.getDescription()).contains(description).endsWith("refused");
        assertThat(analysis.getAction()).contains(action);
    }

    @Test
    void anotherDatabaseErrorIsLeftToOthers() {
        assertThat(analyzer.analyze(new IllegalStateException(new PSQLException("x", PSQLState.SYNTAX_ERROR))))
                .isNull();
    }

    private static Environment environment(Map<String, Object> properties) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return environment;
    }
}
