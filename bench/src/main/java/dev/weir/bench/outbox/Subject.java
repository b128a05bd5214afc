package dev.weir.bench.outbox;

import java.sql.Connection;

/** An outbox with its relay. */
interface Subject extends AutoCloseable {

    /** A business transaction of one row, with one event. */
    void commit(int number, String key) throws Exception;

    /** Begins to deliver. */
    void start() throws Exception;

    @Override
    void close();

    /** Waits for a thread's end. */
    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The business part of a transaction, the same everywhere. */
    static void book(Connection transaction, int number) throws Exception {
        try (var statement = transaction.prepareStatement("INSERT INTO business (n) VALUES (?)")) {
            statement.setInt(1, number);
            statement.executeUpdate();
        }
    }
}
