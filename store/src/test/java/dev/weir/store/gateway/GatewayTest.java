package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.messages.TestProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.support.TransactionOperations;

class GatewayTest {

    @Test
    void canBeStoppedWithoutHavingBeenStarted() throws IOException {
        Gateway gateway = gateway("400", 400);

        assertThatCode(gateway::stop).doesNotThrowAnyException();
        assertThat(gateway.isRunning()).isFalse();
    }

    @Test
    void aStartThatFailsLeavesNothingRunning() throws IOException {
        Gateway gateway = gateway("400", 400);

        assertThatThrownBy(gateway::start).isInstanceOf(RuntimeException.class);

        assertThat(gateway.isRunning()).isFalse();
        assertThatCode(gateway::stop).doesNotThrowAnyException();
    }

    @Test
    void moreCallsAtOnceThanConnectionsStopTheStartWithOneSentence() {
        assertThatThrownBy(() -> gateway("501", 500))
                .hasMessage(
                        "store.gateway.max-in-flight is 501, more than store.messages.max-connections, 500: raise the"
                                + " latter or lower the former.");
    }

    @Test
    void allPartsEndWithinThePhaseOfTheShutdown() throws IOException {
        Duration phase = DurationStyle.detectAndParse(
                GatewaySettingsTest.property("spring.lifecycle.timeout-per-shutdown-phase"));

        assertThat(Gateway.STOP_TIME).isLessThan(phase);
        assertThat(Dispatcher.CLOSE_TIME.plus(MessageReader.CLOSE_TIME)).isLessThan(Gateway.STOP_TIME);
    }

    /** Without any server. */
    private static Gateway gateway(String maxInFlight, int maxConnections) throws IOException {
        var settings = GatewaySettingsTest.settings(Map.of(
                "store.gateway.enabled", "true",
                "store.gateway.kafka.bootstrap.servers", "127.0.0.1:1",
                "store.gateway.max-in-flight", maxInFlight));
        DataSource database = new SimpleDriverDataSource(new Driver(), "jdbc:postgresql://127.0.0.1:1/none");
        return new Gateway(
                settings,
                database,
                new JdbcTemplate(database),
                TransactionOperations.withoutTransaction(),
                TestProvider.of("http://127.0.0.1:1", Duration.ofSeconds(1), maxConnections));
    }
}
