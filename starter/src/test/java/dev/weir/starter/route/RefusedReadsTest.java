package dev.weir.starter.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.core.route.PooledServer;
import dev.weir.core.route.ReplicasUnavailableException;
import dev.weir.core.route.RouteConfig;
import dev.weir.core.route.Router;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Reads that were refused, in the log and to the client. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedReadsTest {

    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @Test
    void aRefusedReadIsAnsweredByTryAgainLater() {
        assertThat(resolved(new TransientDataAccessResourceException("query", refusal())))
                .isTrue();
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    void otherFailuresAreLeftToOthers() {
        assertThat(resolved(new TransientDataAccessResourceException("query", new SQLException("other"))))
                .isFalse();
        assertThat(response.getStatus()).isEqualTo(200);
    }

    @Test
    void manyRefusalsAreOneLineInTheLog(CapturedOutput output) {
        DataSource reads = router().reads();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(reads::getConnection).isInstanceOf(ReplicasUnavailableException.class);
        }
        assertThat(output.getOut().lines().filter(line -> line.contains("reads are refused")))
                .singleElement()
                .asString()
                .contains(
                        "No replica can take this read, since none serves, and weir.route.fallback.max-concurrent lets"
                                + " none of these on primary.");
    }

    private boolean resolved(Exception failure) {
        return new RefusedReads().resolveException(new MockHttpServletRequest(), response, null, failure) != null;
    }

    private static ReplicasUnavailableException refusal() {
        return catchThrowableOfType(ReplicasUnavailableException.class, router().reads()::getConnection);
    }

    /** Not started, so that there is nothing to close. */
    private static Router router() {
        return new Router(
                RouteConfig.defaults().withFallback(0, Duration.ZERO), new Nowhere(), List.of(), List.of(), () -> 0);
    }

    private record Nowhere() implements PooledServer {

        @Override
        public String name() {
            return "primary";
        }

        @Override
        public DataSource pool() {
            return new DriverManagerDataSource();
        }

        @Override
        public Connection connect(int timeoutMillis) throws SQLException {
            throw new SQLException("nowhere");
        }

        @Override
        public void evict() {}
    }
}
