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
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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

    private static final OutboxConfig OUTBOX = OutboxConfig.defaults()
            .withTable("message_outbox")
            .withRetries(1_000, Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final Duration KAFKA_RETRY = Duration.ofSeconds(2);

    /** Longest time that {@link #stop} takes; below spring.lifecycle.timeout-per-shutdown-phase. */
    static final Duration STOP_TIME = Duration.ofSeconds(18);

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
    private final Upkeep upkeep;
    private final AllowedOrigins origins;
    private final PublisherConfig publisher = PublisherConfig.defaults();
    private final KafkaTransports transports;
    private @Nullable Relay relay;
    private @Nullable Thread preparing;
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
        requireConnections(settings, provider);
        NanoClock clock = NanoClock.system();
        this.table = new MessageTable(jdbc, clock);
        this.callbackTable = new CallbackTable(jdbc);
        // Here, so that a setting that Kafka's client or the outbox does not take stops the start.
        this.transports = KafkaTransports.of(settings.client(), publisher);
        this.origins = new AllowedOrigins(settings.callbacks().origins());
        RandomGenerator random = new Random();
        InstantSource wallClock = InstantSource.system();
        var client = new CallbackClient(
                origins,
                new CallbackAddresses(settings.callbacks().networks(), InetAddress::getAllByName),
                new Signature(settings.callbacks().key()),
                settings.callbacks().timeout(),
                CallbackSender.SLOTS,
                wallClock);
        this.callbacks = new CallbackSender(callbackTable, client, settings.callbacks(), random);
        var retries = new SendPlan.Retries(settings.attempts(), settings.retryBackoff(), settings.maxRetryBackoff());
        var plan =
                new SendPlan(settings.providerPerSecond(), settings.maxInFlight(), retries, random, clock.nanoTime());
        this.view = new QueueView(clock, this::perSecond, this::way);
        var lease = new Lease(MessageReader.session(settings.client()), clock.nanoTime());
        this.dispatcher = new Dispatcher(
                new ProviderSender(provider), this::end, view, callbacks::wake, plan, lease, clock, wallClock);
        this.reader = new MessageReader(
                settings.client(),
                settings.topic(),
                settings.readAhead(),
                table,
                dispatcher,
                () -> dispatcher.stats().waiting(),
                lease,
                clock);
        this.upkeep = new Upkeep(
                new Upkeep.Settings(settings.providerPerSecond(), settings.keep(), settings.resendAfter()),
                new Instances(jdbc, UUID.randomUUID()),
                table,
                dispatcher,
                view,
                lease,
                this::putIntoKafka,
                clock);
        var writer = new MessageWriter(
                jdbc,
                table,
                outbox,
                settings.topic(),
                settings.maxWait(),
                () -> dispatcher.outlook().send(),
                wallClock);
        this.acceptor = new Acceptor(transaction, writer, this::accepted);
    }

    /** A call that waits for a connection is a call that holds its place and does not send. */
    private static void requireConnections(GatewaySettings settings, MessageProvider provider) {
        if (settings.maxInFlight() > provider.maxConnections()) {
            throw new IllegalArgumentException("store.gateway.max-in-flight is " + settings.maxInFlight()
                    + ", more than store.messages.max-connections, " + provider.maxConnections()
                    + ": raise the latter or lower the former.");
        }
    }

    private double perSecond() {
        return dispatcher.outlook().perSecond() + upkeep.othersPerSecond();
    }

    private Duration way() {
        Outlook outlook = dispatcher.outlook();
        return outlook.way().plus(outlook.send());
    }

    private void accepted(Map<String, MessageTable.Count> counts) {
        view.accepted(counts);
        outbox.committed();
    }

    private Map<String, Long> end(List<MessageTable.Ending> endings) {
        return Objects.requireNonNull(transaction.execute(status -> table.end(endings)));
    }

    private void putIntoKafka(List<Outgoing> messages) {
        List<Event> events =
                messages.stream().map(each -> each.event(settings.topic())).toList();
        transaction.executeWithoutResult(status -> jdbc.execute((ConnectionCallback<Integer>)
                connection -> outbox.add(connection, events).size()));
        outbox.committed();
    }

    @Override
    public void start() {
        // First, since it fails where the database is away, and then nothing has been started.
        upkeep.start();
        running = true;
        acceptor.start();
        dispatcher.start();
        callbacks.start();
        preparing = Thread.ofVirtual().name("store-gateway-topic").start(this::startKafka);
    }

    /** Makes the topic where it is missing, as often as it takes, and starts what needs it. */
    private void startKafka() {
        try {
            var topic = Topic.of(settings);
            while (running && !topic.isReady()) {
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

    /** Within {@link #STOP_TIME}, all parts at the same time; what one does not end is done again after the next start. */
    @Override
    public void stop() {
        if (!running) {
            return;
        }
        running = false;
        List<Thread> ending = Stream.of(
                        (Runnable) acceptor::close, this::stopRelay, this::stopSending, callbacks::close, upkeep::close)
                .map(part -> Thread.ofVirtual().name("store-gateway-stop").start(part))
                .toList();
        long endNanos = System.nanoTime() + STOP_TIME.toNanos();
        try {
            for (Thread each : ending) {
                each.join(Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The reader last, so that what has ended by then is committed. */
    private void stopSending() {
        dispatcher.close();
        reader.close();
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

    Upkeep upkeep() {
        return upkeep;
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
