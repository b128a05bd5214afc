package dev.weir.bench.outbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Gruelbox's transaction-outbox as its documentation shows it: a method scheduled in the transaction, run on an executor after it. */
final class GruelboxSubject implements Subject {
    private static final int WORKERS = 16;

    /** What is scheduled. */
    public interface Sending {
        /** Sends an event and waits for its acknowledgement. */
        void send(int number, String key, String payload);
    }

    private final ThreadLocalContextTransactionManager transactions;
    private final TransactionOutbox outbox;
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private final String payload;
    private volatile boolean started;
    private @Nullable Thread flusher;

    GruelboxSubject(
            DataSource database,
            KafkaProducer<String, String> producer,
            Lags lags,
            int bytes,
            Duration attemptFrequency) {
        this.payload = "x".repeat(bytes);
        Sending sending = (number, key, content) -> {
            try {
                var ignored = producer.send(new ProducerRecord<>("outbox-gruelbox", key, content))
                        .get();
                lags.acknowledged(number);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        };
        this.transactions = TransactionManager.fromDataSource(database);
        Submitter toWorkers = Submitter.withExecutor(workers);
        this.outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> sending))
                .attemptFrequency(attemptFrequency)
                .flushBatchSize(1_000)
                .submitter((entry, work) -> {
                    if (started) {
                        toWorkers.submit(entry, work);
                    }
                })
                .build();
    }

    @Override
    public void commit(int number, String key) throws Exception {
        transactions.inTransactionThrows(transaction -> {
            Subject.book(transaction.connection(), number);
            outbox.schedule(Sending.class).send(number, key, payload);
        });
    }

    @Override
    public void start() {
        started = true;
        flusher = Thread.ofPlatform().start(() -> {
            while (started) {
                if (!outbox.flush()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                }
            }
        });
    }

    @Override
    public void close() {
        started = false;
        Thread running = flusher;
        if (running != null) {
            Subject.join(running);
        }
        workers.close();
    }
}
