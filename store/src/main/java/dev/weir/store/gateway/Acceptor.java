package dev.weir.store.gateway;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Accepts messages: each with its event in one transaction, and all that came meanwhile in the same one (group commit). A commit
 * costs the disk one write whether it holds one message or 500, so a single thread that takes whatever waits is both faster and in order.
 *
 * <p>Who hands in waits for the commit. A message is accepted when that has come back, and then nothing that dies loses it.
 */
final class Acceptor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Acceptor.class);
    private static final int BATCH = 500;
    private static final int ROOM = 10_000;
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

    /** Writes messages within the transaction at work. */
    interface Writer {
        Written write(List<Arrival> batch);
    }

    /** What one transaction has done; true once it has committed. */
    static final class Written {

        final Map<Arrival, Acceptance> answers = new HashMap<>();
        /** To be looked at again in the next one. */
        final List<Arrival> again = new ArrayList<>();
        /** How the clients stand. */
        Map<String, MessageTable.Count> counts = Map.of();
    }

    private final TransactionOperations transaction;
    private final Writer writer;
    private final Consumer<Map<String, MessageTable.Count>> committed;
    private final BlockingQueue<Arrival> arrivals = new ArrayBlockingQueue<>(ROOM);
    private final Thread thread =
            Thread.ofPlatform().name("store-gateway-accept").daemon(true).unstarted(this::run);
    private final List<Arrival> left = new ArrayList<>();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder transactions = new LongAdder();
    private volatile boolean closing;

    /**
     * Waits for {@link #start}.
     *
     * @param committed told, before anybody has an answer, how clients stand after a commit
     */
    Acceptor(TransactionOperations transaction, Writer writer, Consumer<Map<String, MessageTable.Count>> committed) {
        this.transaction = transaction;
        this.writer = writer;
        this.committed = committed;
    }

    void start() {
        thread.start();
    }

    /**
     * Hands in a message; null when too many wait to be written. The answer fails when it cannot be written.
     *
     * @param admitted whether it may be accepted; else it is only asked whether it was before
     */
    @Nullable
    CompletableFuture<Acceptance> accept(NewMessage message, boolean admitted) {
        var arrival = new Arrival(message, admitted);
        return !closing && arrivals.offer(arrival) ? arrival.answer() : null;
    }

    private void run() {
        try {
            while (!closing || !arrivals.isEmpty() || !left.isEmpty()) {
                List<Arrival> batch = nextBatch();
                if (!batch.isEmpty()) {
                    write(batch);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Those left over from the batch before come first. */
    private List<Arrival> nextBatch() throws InterruptedException {
        List<Arrival> batch = new ArrayList<>(left);
        left.clear();
        if (batch.isEmpty()) {
            Arrival first = arrivals.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
            if (first == null) {
                return batch;
            }
            batch.add(first);
        }
        arrivals.drainTo(batch, BATCH - batch.size());
        return batch;
    }

    private void write(List<Arrival> batch) {
        var progress = new Progress();
        try {
            Written written = transaction.execute(status -> progress.afterwards(writer.write(batch)));
            transactions.increment();
            committed.accept(written.counts);
            left.addAll(written.again);
            written.answers.forEach(this::answer);
        } catch (RuntimeException failed) {
            failed(batch, progress.committing, failed);
        }
    }

    /** How far a transaction has come. */
    private static final class Progress {

        boolean committing;

        Written afterwards(Written written) {
            committing = true;
            return written;
        }
    }

    private void answer(Arrival arrival, Acceptance acceptance) {
        if (acceptance instanceof Acceptance.Queued) {
            accepted.increment();
        }
        arrival.answer().complete(acceptance);
    }

    private void failed(List<Arrival> batch, boolean committing, RuntimeException failure) {
        if (committing) {
            // The commit has been asked for, and whether the database has carried it out is not known.
            log.warn("{} messages may be accepted or not: {}", batch.size(), failure.toString());
            batch.forEach(arrival -> arrival.answer().complete(new Acceptance.InDoubt()));
        } else if (batch.size() == 1 || isOfAll(failure)) {
            log.warn("{} messages cannot be accepted: {}", batch.size(), failure.toString());
            batch.forEach(arrival -> arrival.answer().completeExceptionally(failure));
        } else {
            // One that the database will not have must not take the others with it.
            batch.forEach(each -> write(List.of(each)));
        }
    }

    /** Also where a lock was not to be had in time: one by one, each would wait for it as long. */
    private static boolean isOfAll(RuntimeException failure) {
        return failure instanceof DataAccessResourceFailureException
                || failure instanceof TransactionException
                || failure instanceof QueryTimeoutException
                || isLockTimeout(failure);
    }

    private static boolean isLockTimeout(RuntimeException failure) {
        return failure.getCause() instanceof SQLException cause && LOCK_NOT_AVAILABLE.equals(cause.getSQLState());
    }

    /**
     * What it has done since the start.
     *
     * @param accepted messages
     * @param transactions that have committed
     */
    record Stats(long accepted, long transactions) {}

    Stats stats() {
        return new Stats(accepted.sum(), transactions.sum());
    }

    /** Writes what waits, within 10 seconds, and takes nothing more. */
    @Override
    public void close() {
        closing = true;
        try {
            if (thread.isAlive() && !thread.join(CLOSE_TIME)) {
                thread.interrupt();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        arrivals.forEach(arrival -> arrival.answer().complete(new Acceptance.Stopping()));
    }
}
