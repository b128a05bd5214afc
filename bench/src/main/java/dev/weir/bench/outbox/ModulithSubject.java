package dev.weir.bench.outbox;

import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry as its documentation shows it: an event published in a transaction, kept in a table until
 * its listener, on an executor after the commit, has sent it.
 */
final class ModulithSubject implements Subject {
    private static final int WORKERS = 16;

    /** What is published. */
    public record Ordered(int number, String key, String payload) {}

    /** What sends it, as an application writes it. */
    public static class Sending {
        private final KafkaProducer<String, String> producer;
        private final Lags lags;

        Sending(KafkaProducer<String, String> producer, Lags lags) {
            this.producer = producer;
            this.lags = lags;
        }

        /** Sends an event and waits for its acknowledgement. */
        @ApplicationModuleListener
        public void send(Ordered event) throws Exception {
            var ignored = producer.send(new ProducerRecord<>("outbox-modulith", event.key(), event.payload()))
                    .get();
            lags.acknowledged(event.number());
        }
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    public static class Application {}

    private final DataSource database;
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private final AtomicBoolean started = new AtomicBoolean();
    private final ConfigurableApplicationContext context;
    private final TransactionTemplate transactions;
    private final String payload;

    ModulithSubject(DataSource database, KafkaProducer<String, String> producer, Lags lags, int bytes) {
        this.database = database;
        this.payload = "x".repeat(bytes);
        TaskExecutor executor = work -> {
            if (started.get()) {
                workers.execute(work);
            }
        };
        this.context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(Map.of(
                        "spring.modulith.events.jdbc.schema-initialization.enabled",
                        "true",
                        "spring.main.banner-mode",
                        "off"))
                .initializers(made -> {
                    GenericApplicationContext beans = (GenericApplicationContext) made;
                    beans.registerBean("database", DataSource.class, () -> database);
                    beans.registerBean("taskExecutor", TaskExecutor.class, () -> executor);
                    beans.registerBean("sending", Sending.class, () -> new Sending(producer, lags));
                })
                .run();
        this.transactions = context.getBean(TransactionTemplate.class);
    }

    @Override
    public void commit(int number, String key) {
        transactions.executeWithoutResult(status -> {
            try {
                Subject.book(DataSourceUtils.getConnection(database), number);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            context.publishEvent(new Ordered(number, key, payload));
        });
    }

    @Override
    public void start() {
        started.set(true);
        context.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
    }

    @Override
    public void close() {
        workers.close();
        context.close();
    }
}
