package dev.weir.store.gateway;

import dev.weir.core.outbox.KafkaTarget;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.Relay;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.time.NanoClock;
import dev.weir.store.messages.MessageProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The parts of the gateway, and their start and stop.
 *
 * <p>A message's way: admitted by {@link QueueView}, written by {@link Acceptor} with its event, relayed to Kafka, read by
 * {@link MessageReader}, sent by {@link Dispatcher}, its callback delivered by {@link CallbackSender}. The outbox has a table of its own, so
 * that a burst of messages delays no other events. Kafka may be away at the start: messages are accepted into the outbox meanwhile.
 */
@Component
@ConditionalOnBooleanProperty("store.gateway.enabled")
class Gateway implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final OutboxConfig OUTBOX = OutboxConfig.defaults()
            .withTable("message_outbox")
            .withRetries(1_000, Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final long REFRESH_MILLIS = 200;
    private static final int REFRESHES_A_SECOND = 5;
    private static final int SECONDS_BETWEEN_CLEANUPS = 60;
    private static final Duration CLEANUP_TIME = Duration.ofMillis(300);
    private static final int RESENT_AT_ONCE = 5_000;
    private static final Duration KAFKA_RETRY = Duration.ofSeconds(2);
    private static final Duration ADMIN_TIME = Duration.ofSeconds(10);

    private final GatewaySettings settings;
    private final DataSource database;
    private final JdbcTemplate jdbc;
    private final TransactionOperations transaction;
    private final MessageTable table;
    private final CallbackTable callbackTable;
    private final Outbox outbox = new Outbox(OUTBOX);
    private final QueueView view;
    private final Acceptor acceptor;
    private final Dispatcher dispatcher;
    private final MessageReader reader;
    private final CallbackSender callbacks;
    private final Instances instances;
    private final AllowedOrigins origins;
    private final PublisherConfig publisher = PublisherConfig.defaults();
    private final KafkaTransports transports;
    private boolean cleaning;
    private @Nullable Relay relay;
    private @Nullable Thread preparing;
    private @Nullable Thread upkeep;
    private volatile double othersPerSecond;
    private volatile boolean running;

    Gateway(
            GatewaySettings settings,
            DataSource database,
            JdbcTemplate jdbc,
            TransactionOperations transaction,
            MessageProvider provider) {
        this.settings = settings;
        this.database = database;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.table = new MessageTable(jdbc);
        this.callbackTable = new CallbackTable(jdbc);
        this.instances = new Instances(jdbc, UUID.randomUUID());
        // Here, so that a setting that Kafka's client or the outbox does not take stops the start.
        this.transports = KafkaTransports.of(settings.client(), publisher);
        this.origins = new AllowedOrigins(settings.callbacks().origins());
        RandomGenerator random = new Random();
        NanoClock clock = NanoClock.system();
        InstantSource wallClock = InstantSource.system();
        this.callbacks = new CallbackSender(
                callbackTable,
                origins,
                new Signature(settings.callbacks().key()),
                settings.callbacks(),
                wallClock,
                random);
        var retries = new SendPlan.Retries(settings.attempts(), settings.retryBackoff(), settings.maxRetryBackoff());
        var plan =
                new SendPlan(settings.providerPerSecond(), settings.maxInFlight(), retries, random, clock.nanoTime());
        this.view = new QueueView(clock, this::perSecond, this::way);
        this.dispatcher = new Dispatcher(
                new ProviderSender(provider), table, transaction, view, callbacks::wake, plan, clock, wallClock);
        this.reader = new MessageReader(
                settings.client(),
                settings.topic(),
                settings.readAhead(),
                table,
                dispatcher,
                () -> dispatcher.stats().waiting());
        this.acceptor = new Acceptor(
                jdbc,
                transaction,
                table,
                outbox,
                settings.topic(),
                view,
                settings.maxWait(),
                dispatcher::sendTime,
                wallClock);
    }

    private double perSecond() {
        return dispatcher.effectivePerSecond() + othersPerSecond;
    }

    private Duration way() {
        return dispatcher.way();
    }

    @Override
    public void start() {
        running = true;
        refresh();
        acceptor.start();
        dispatcher.start();
        callbacks.start();
        preparing = Thread.ofVirtual().name("store-gateway-topic").start(this::startKafka);
        upkeep = Thread.ofPlatform().name("store-gateway-upkeep").daemon(true).start(this::keepUp);
    }

    /** Makes the topic where it is missing, as often as it takes, and starts what needs it. */
    private void startKafka() {
        try {
            boolean warned = false;
            while (running && !makeTopic(warned)) {
                warned = true;
                TimeUnit.MILLISECONDS.sleep(KAFKA_RETRY.toMillis());
            }
            startRelay();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void startRelay() {
        if (running) {
            relay = Relay.start(OUTBOX, outbox, database, new KafkaTarget(transports, publisher.maxEventBytes()));
            reader.start();
        }
    }

    private boolean makeTopic(boolean warned) throws InterruptedException {
        try (Admin admin = Admin.create(new HashMap<>(settings.client()))) {
            var topic = new NewTopic(settings.topic(), Optional.of(settings.partitions()), Optional.empty());
            admin.createTopics(List.of(topic)).all().get(ADMIN_TIME.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof TopicExistsException) {
                return true;
            }
            return notMade(failed.getCause(), warned);
        } catch (RuntimeException | TimeoutException failed) {
            return notMade(failed, warned);
        }
    }

    private boolean notMade(@Nullable Throwable why, boolean warned) {
        if (!warned) {
            log.warn(
                    "Kafka does not take the gateway's topic yet; messages wait in the outbox: {}",
                    String.valueOf(why));
        }
        return false;
    }

    private void keepUp() {
        boolean warned = false;
        long round = 0;
        while (running) {
            try {
                refresh();
                if (round % REFRESHES_A_SECOND == 0) {
                    second(round / REFRESHES_A_SECOND);
                }
                warned = false;
            } catch (RuntimeException trouble) {
                if (!warned) {
                    log.warn("The gateway's upkeep fails at present: {}", trouble.toString());
                }
                warned = true;
            }
            round++;
            try {
                TimeUnit.MILLISECONDS.sleep(REFRESH_MILLIS);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void refresh() {
        Map<String, Long> before = view.known();
        view.refresh(before, table.waiting());
    }

    private void second(long seconds) {
        Instances.Seen seen = instances.beat(dispatcher.effectivePerSecond());
        othersPerSecond = seen.perSecondOfOthers();
        dispatcher.second(settings.providerPerSecond() / seen.count());
        if (seen.first() && (cleaning || seconds % SECONDS_BETWEEN_CLEANUPS == SECONDS_BETWEEN_CLEANUPS - 1)) {
            cleaning = !table.purge(settings.keep(), CLEANUP_TIME);
        }
        if (seen.first() && seconds > 0 && seconds % settings.resendAfter().toSeconds() == 0) {
            resend();
        }
    }

    /** What has waited for very long may have been lost by Kafka; what has not is recognised as a repetition. */
    private void resend() {
        List<Outgoing> overdue = table.overdue(settings.resendAfter(), new UUID(0, 0), RESENT_AT_ONCE);
        while (!overdue.isEmpty()) {
            log.warn("{} messages have waited {} and are put into Kafka again", overdue.size(), settings.resendAfter());
            List<Event> events =
                    overdue.stream().map(each -> each.event(settings.topic())).toList();
            transaction.executeWithoutResult(status -> jdbc.execute((ConnectionCallback<Integer>)
                    connection -> outbox.add(connection, events).size()));
            outbox.committed();
            overdue = table.overdue(settings.resendAfter(), overdue.getLast().id(), RESENT_AT_ONCE);
        }
    }

    @Override
    public void stop() {
        running = false;
        acceptor.close();
        stopRelay();
        dispatcher.close();
        // Last, so that what has ended by then is committed.
        reader.close();
        callbacks.close();
        Thread loop = upkeep;
        if (loop != null) {
            loop.interrupt();
        }
        try {
            instances.leave();
        } catch (RuntimeException noDatabase) {
            log.info("The gateway's share is free in 5 seconds only: {}", noDatabase.toString());
        }
    }

    private synchronized void stopRelay() {
        Thread starting = preparing;
        if (starting != null) {
            starting.interrupt();
        }
        if (relay != null) {
            relay.close();
        }
    }

    /** Before the web server starts, and after it has stopped taking requests. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    GatewaySettings settings() {
        return settings;
    }

    QueueView view() {
        return view;
    }

    Acceptor acceptor() {
        return acceptor;
    }

    MessageTable table() {
        return table;
    }

    CallbackTable callbackTable() {
        return callbackTable;
    }

    CallbackSender callbacks() {
        return callbacks;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    AllowedOrigins origins() {
        return origins;
    }

    /** All gateways' messages a second, as estimates reckon with. */
    double sentPerSecond() {
        return perSecond();
    }
}
