package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.gateway.Acceptor.Written;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;

class AcceptorTest {

    private final RuntimeException connectionLost =
            new DataAccessResourceFailureException("An I/O error occurred while sending to the backend.");

    private final Map<String, MessageTable.Count> committed = new HashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private volatile @Nullable RuntimeException atCommit;
    private volatile @Nullable RuntimeException atWrite;
    private final Acceptor acceptor = new Acceptor(new Transactions(), this::write, committed::putAll);

    private final class Transactions implements TransactionOperations {

        @Override
        public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
            T result = action.doInTransaction(new SimpleTransactionStatus());
            if (atCommit != null) {
                throw atCommit;
            }
            return result;
        }
    }

    private Written write(List<Arrival> batch) {
        batches.add(batch.size());
        if (atWrite != null) {
            throw atWrite;
        }
        if (batch.stream().anyMatch(arrival -> arrival.message().to().equals("refused"))) {
            throw new DataIntegrityViolationException("not this one");
        }
        var written = new Written();
        batch.forEach(arrival -> written.answers.put(
                arrival, new Acceptance.Queued(arrival.message().id(), 1, 0, Duration.ZERO, Instant.EPOCH)));
        return written;
    }

    @AfterEach
    void stop() {
        acceptor.close();
    }

    @Test
    void allThatWaitAreWrittenInOneTransaction() throws Exception {
        List<CompletableFuture<Acceptance>> answers = List.of(handIn("a"), handIn("b"), handIn("c"));

        acceptor.start();

        for (CompletableFuture<Acceptance> answer : answers) {
            assertThat(get(answer)).isInstanceOf(Acceptance.Queued.class);
        }
        assertThat(batches).containsExactly(3);
        assertThat(acceptor.stats()).isEqualTo(new Acceptor.Stats(3, 1));
    }

    @Test
    void aConnectionThatBreaksAtTheCommitLeavesTheMessagesInDoubt() throws Exception {
        atCommit = connectionLost;
        CompletableFuture<Acceptance> one = handIn("a");
        CompletableFuture<Acceptance> other = handIn("b");

        acceptor.start();

        assertThat(get(one)).isEqualTo(new Acceptance.InDoubt());
        assertThat(get(other)).isEqualTo(new Acceptance.InDoubt());
        assertThat(batches).as("never written again: they may be there").containsExactly(2);
        assertThat(acceptor.stats().accepted()).isZero();
    }

    @Test
    void aConnectionThatBreaksBeforeTheCommitIsAFailure() {
        atWrite = connectionLost;
        CompletableFuture<Acceptance> answer = handIn("a");

        acceptor.start();

        assertThatThrownBy(() -> get(answer))
                .isInstanceOf(ExecutionException.class)
                .hasCause(connectionLost);
    }

    @Test
    void oneThatTheDatabaseWillNotHaveDoesNotTakeTheOthersWithIt() throws Exception {
        CompletableFuture<Acceptance> good = handIn("a");
        CompletableFuture<Acceptance> bad = handIn("refused");
        CompletableFuture<Acceptance> late = handIn("b");

        acceptor.start();

        assertThat(get(good)).isInstanceOf(Acceptance.Queued.class);
        assertThat(get(late)).isInstanceOf(Acceptance.Queued.class);
        assertThatThrownBy(() -> get(bad)).hasCauseInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void aLockThatIsNotToBeHadIsWaitedForOnceAndNotOnceAMessage() {
        var timeout = new UncategorizedSQLException(
                "insert", null, new SQLException("canceling statement due to lock timeout", "55P03"));
        atWrite = timeout;
        CompletableFuture<Acceptance> one = handIn("a");
        CompletableFuture<Acceptance> other = handIn("b");

        acceptor.start();

        assertThatThrownBy(() -> get(one)).hasCause(timeout);
        assertThatThrownBy(() -> get(other)).hasCause(timeout);
        assertThat(batches).containsExactly(2);
    }

    @Test
    void whatWaitsWhenItIsStoppedBeforeItsStartIsTold() throws Exception {
        CompletableFuture<Acceptance> answer = handIn("a");

        acceptor.close();

        assertThat(get(answer)).isEqualTo(new Acceptance.Stopping());
        assertThat(acceptor.accept(message("b"), true)).isNull();
    }

    private CompletableFuture<Acceptance> handIn(String to) {
        return Objects.requireNonNull(acceptor.accept(message(to), true));
    }

    private static NewMessage message(String to) {
        return new NewMessage(UUID.randomUUID(), "c", to, "x", null, null);
    }

    private static Acceptance get(CompletableFuture<Acceptance> answer) throws Exception {
        return answer.get(30, TimeUnit.SECONDS);
    }
}
