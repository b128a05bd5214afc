package dev.weir.starter.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.outbox.Target;
import dev.weir.core.publish.Event;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.publish.PublishAutoConfiguration;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** {@code weir.outbox} with a database that does not answer. */
class OutboxAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WeirAutoConfiguration.class, PublishAutoConfiguration.class, OutboxAutoConfiguration.class));

    private final ApplicationContextRunner on =
            runner.withPropertyValues("weir.outbox.enabled=true").withBean(DataSource.class, Away::new);

    private final ApplicationContextRunner adding =
            on.withPropertyValues("weir.outbox.schema=none", "weir.outbox.target=none");

    private static FeatureStatus status(ApplicationContext context) {
        return context.getBean(OutboxFeature.class).status();
    }

    @Test
    void offThereIsNoOutbox() {
        runner.withBean(DataSource.class, Away::new).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class);
            assertThat(status(context).state()).isEqualTo(State.OFF);
        });
    }

    @Test
    void withoutADataSourceItIsUnavailable() {
        runner.withPropertyValues("weir.outbox.enabled=true").run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class);
            assertThat(status(context).state()).isEqualTo(State.UNAVAILABLE);
        });
    }

    @Test
    void aServiceWithoutJdbcAndKafkaStarts() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "org.apache.kafka"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "schema=create | The tables of the outbox cannot be made: The server is away.",
                "schema=check | The tables of the outbox cannot be looked at: The server is away.",
            })
    void aDatabaseThatDoesNotAnswerStopsTheStart(String setting, String sentence) {
        on.withPropertyValues("weir.outbox.target=none", "weir.outbox." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessage(sentence));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "target=kafka | Nothing says where Kafka is",
                "target=handlers | there is no bean of type EventHandler",
                "table=My Table | table is My Table",
                "lease-time=1ms | lease-time",
                "handler-concurrency=0 | weir.outbox.handler-concurrency is '0'",
                "sample-interval=1ms | weir.outbox.sample-interval is '1ms'",
                "data-source=other | the name of a data source, one of ",
            })
    void whatCannotBeUsedStopsTheStartWithASentence(String setting, String sentence) {
        adding.withPropertyValues("weir.outbox." + setting)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(sentence));
    }

    @Test
    void withoutKafkasClientAnotherTargetIsNeeded() {
        on.withPropertyValues("weir.outbox.schema=none")
                .withClassLoader(new FilteredClassLoader("org.apache.kafka"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("since Kafka's client is not on the class path"));
    }

    @Test
    void handlersAreEnoughOfATarget() {
        on.withPropertyValues("weir.outbox.schema=none", "weir.outbox.target=handlers")
                .withBean("send-invoice", EventHandler.class, () -> event -> {})
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Outbox.class);
                    assertThat(status(context).settings()).containsEntry("target", "handlers");
                });
    }

    @Test
    void anEventWithoutATransactionIsRefused() {
        adding.run(context -> assertThatThrownBy(
                        () -> context.getBean(Outbox.class).add(Event.of("t", "k", new byte[0])))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No transaction is active")
                .hasMessageContaining("@Transactional"));
    }

    @Test
    void anEventAfterTheCompletionOfItsTransactionIsRefused() {
        adding.run(context -> {
            TransactionSynchronizationManager.setActualTransactionActive(true);
            try {
                assertThatThrownBy(() -> context.getBean(Outbox.class).add(Event.of("t", "k", new byte[0])))
                        .hasMessageContaining("No transaction is active");
            } finally {
                TransactionSynchronizationManager.setActualTransactionActive(false);
            }
        });
    }

    @Test
    void anEventInACallbackAfterTheCommitIsRefused() {
        adding.withBean(PlatformTransactionManager.class, Elsewhere::new)
                .run(context -> assertThat(inACallback(context, () -> addTo(context)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("committed already")
                        .hasMessageContaining("REQUIRES_NEW"));
    }

    @Test
    void anEventOfATransactionBegunInACallbackIsNotTakenForOneAfterTheCommit() {
        adding.withBean(PlatformTransactionManager.class, Elsewhere::new).run(context -> {
            var inner = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            assertThat(inACallback(context, () -> inner.executeWithoutResult(status -> addTo(context))))
                    .hasMessageContaining("not one of the outbox's data source");
            // And the one around it is still known to be committed.
            assertThat(inACallback(context, () -> {
                        inner.executeWithoutResult(status -> {});
                        addTo(context);
                    }))
                    .hasMessageContaining("committed already");
            assertThatThrownBy(() -> new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> addTo(context)))
                    .hasMessageContaining("not one of the outbox's data source");
        });
    }

    private static void addTo(ApplicationContext context) {
        context.getBean(Outbox.class).add(Event.of("t", "k", new byte[0]));
    }

    /** What doing this after the commit throws. */
    private static Throwable inACallback(ApplicationContext context, ThrowableAssert.ThrowingCallable task) {
        var thrown = new AtomicReference<Throwable>();
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                thrown.set(catchThrowable(task));
                            }
                        }));
        return thrown.get();
    }

    @Test
    void aTargetThatIsABeanIsOpenAfterAPauseAndClosedByTheContainer() {
        var closed = new AtomicInteger();
        adding.withBean(Target.class, () -> new CountedTarget(closed)).run(context -> {
            OutboxRelay relay = context.getBean(OutboxRelay.class);
            relay.stop();
            relay.start();
            assertThat(relay.isRunning()).isTrue();
            assertThat(closed).hasValue(0);
        });
        assertThat(closed).hasValue(1);
    }

    @Test
    void anOutboxOfTheApplicationsOwnIsSeenWithTheOthers() {
        endpoint()
                .withBean("own", OutboxRelay.class, () -> own("totals", "totals_outbox"))
                .run(context -> {
                    assertThat(context.getBean(OutboxEndpoint.class).outboxes().outboxes())
                            .containsOnlyKeys("events", "totals");
                    assertThat(status(context).settings()).containsKeys("events", "totals");
                    assertThat(context.getBean(OutboxEndpoint.class)
                                    .act("totals", "replay", null, "true")
                                    .getStatus())
                            .isEqualTo(503);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events | totals_outbox | Two outboxes have the name events",
                "totals | weir_outbox_parked | Two outboxes are to use the table weir_outbox_parked",
            })
    void anOutboxOfTheApplicationsOwnSharesNeitherNameNorTable(String name, String table, String sentence) {
        adding.withBean("own", OutboxRelay.class, () -> own(name, table))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SettingException.class)
                        .hasMessageContaining(sentence));
    }

    private static OutboxRelay own(String name, String table) {
        return OutboxRelay.of(
                name,
                OutboxConfig.defaults().withTable(table),
                new Away(),
                1_000,
                () -> new CountedTarget(new AtomicInteger()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir_outbox", "weir_outbox_parked"})
    void twoOutboxesDoNotShareATable(String table) {
        adding.run(context -> assertThatThrownBy(
                        () -> context.getBean(Outboxes.class).make("other", table, 1_000, null))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("Two outboxes are to use the table " + table));
    }

    @Test
    void anEventInAReadOnlyTransactionIsRefused() {
        adding.run(context -> {
            var template = new TransactionTemplate(new Elsewhere());
            template.setReadOnly(true);
            assertThatThrownBy(() -> template.executeWithoutResult(
                            status -> context.getBean(Outbox.class).add(Event.of("t", "k", new byte[0]))))
                    .hasMessageContaining("read-only");
        });
    }

    @Test
    void anEventInATransactionOfSomethingElseIsRefused() {
        adding.run(context -> assertThatThrownBy(() -> new TransactionTemplate(new Elsewhere())
                        .executeWithoutResult(
                                status -> context.getBean(Outbox.class).add(Event.of("t", "k", new byte[0]))))
                .hasMessageContaining("not one of the outbox's data source"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            quoteCharacter = '"',
            value = {
                "nothing | replay | - | true | 404 | There is no outbox nothing; there is events.",
                "events | - | - | true | 400 | action is missing",
                "events | burn | - | true | 400 | action is 'burn'; it must be replay or discard.",
                "events | replay | - | - | 400 | Say which events",
                "events | replay | 1 | true | 400 | Say which events",
                "events | discard | a,b | - | 400 | 'a' is no id of an event",
                "events | replay | - | true | 503 | The server is away.",
            })
    void operatorsWhoAskForWhatCannotBeDoneAreTold(
            String outbox, String action, String ids, String all, int status, String sentence) {
        endpoint().run(context -> {
            WebEndpointResponse<Object> answer =
                    context.getBean(OutboxEndpoint.class).act(outbox, action, ids, all);
            assertThat(answer.getStatus()).isEqualTo(status);
            assertThat(String.valueOf(answer.getBody())).contains(sentence);
        });
    }

    @Test
    void aListOfTooManyIsRefused() {
        endpoint().run(context -> {
            OutboxEndpoint endpoint = context.getBean(OutboxEndpoint.class);
            assertThat(endpoint.parked("events", "0").getStatus()).isEqualTo(400);
            assertThat(endpoint.parked("events", "many").getStatus()).isEqualTo(400);
            assertThat(endpoint.outboxes().outboxes()).containsOnlyKeys("events");
        });
    }

    private ApplicationContextRunner endpoint() {
        return adding.withPropertyValues("management.endpoints.web.exposure.include=weiroutbox");
    }

    /** Counts how often it is closed. */
    private record CountedTarget(AtomicInteger closed) implements Target {
        @Override
        public Batch begin(List<StoredEvent> events) {
            throw new IllegalStateException("There is nothing to deliver.");
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static final class Away extends AbstractDataSource {
        @Override
        public java.sql.Connection getConnection() throws SQLException {
            throw new SQLException("The server is away.");
        }

        @Override
        public java.sql.Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }

    /** Transactions that no database knows of. */
    private static final class Elsewhere extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
