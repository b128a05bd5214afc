package dev.weir.store.problems;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

class ProblemAdviceTest {

    @ParameterizedTest
    @MethodSource("connectionsThatCannotBeHad")
    void aConnectionThatCannotBeHadIsNoInternalError(Exception e) {
        Method handler = new ExceptionHandlerMethodResolver(ProblemAdvice.class).resolveMethod(e);

        assertThat(Objects.requireNonNull(handler).getName()).isEqualTo("databaseUnavailable");
    }

    static Stream<Exception> connectionsThatCannotBeHad() {
        Stream<Exception> ofAStatement = Stream.of(
                        new SQLTransientConnectionException("no connection within the pool's timeout"),
                        new SQLNonTransientConnectionException("refused", "08001"),
                        new SQLRecoverableException("broken"),
                        new SQLException("an I/O error", "08006"),
                        new SQLException("shut down by an administrator", "57P01"))
                .map(e -> new SQLExceptionSubclassTranslator().translate("read", "select 1", e));
        Stream<Exception> ofATransaction = Stream.of(
                new CannotGetJdbcConnectionException("no connection"),
                new CannotCreateTransactionException("no connection"),
                new TransactionSystemException("the commit was lost"));
        return Stream.concat(ofAStatement, ofATransaction);
    }
}
