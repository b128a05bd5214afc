package dev.weir.starter.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.outbox.IdempotentHandler;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.Event;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.starter.defer.Deferrable;
import dev.weir.starter.defer.Deferred;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The write path of a service on a real PostgreSQL and a real Kafka. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class WritePathIT {

    private static final String TOPIC = "order-events";

    /** Deferred calls alone, with the shortest leases. */
    private static final String[] KILLED = {
        "--spring.main.web-application-type=none",
        "--logging.level.root=error",
        "--weir.publish.enabled=false",
        "--weir.outbox.target=none",
        "--weir.outbox.table=killed_outbox",
        "--weir.outbox.lease-time=1s",
        "--weir.defer.table=killed_deferred"
    };

    private static Stack stack;
    private static ConfigurableApplicationContext context;
    private static Orders orders;
    private static Invoices invoices;

    @BeforeAll
    static void start() throws Exception {
        stack = Stack.start(
                StackConfig.defaults()
                        .withStandbys(0)
                        .withRedis(false)
                        .withKafka(true)
                        .withStartTimeout(Duration.ofMinutes(3))
                        .withCacheFolder(Path.of("target", "stack-cache").toAbsolutePath()),
                StackProgress.silent());
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", stack.kafka().bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 3, (short) 1), new NewTopic("plain", 1, (short) 1)))
                    .all()
                    .get();
        }
        context = service(Service.class);
        orders = context.getBean(Orders.class);
        invoices = context.getBean(Invoices.class);
        context.getBean(JdbcTemplate.class).execute("CREATE TABLE placed (id text PRIMARY KEY)");
        context.getBean(JdbcTemplate.class).execute("CREATE TABLE sent (id text NOT NULL)");
        IdempotentHandler.schema("seen")
                .forEach(sql -> context.getBean(JdbcTemplate.class).execute(sql));
    }

    private static ConfigurableApplicationContext service(Class<?> source, String... more) {
        var application = new SpringApplication(source);
        application.setRegisterShutdownHook(false);
        return application.run(settings(more).toArray(String[]::new));
    }

    private static List<String> settings(String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--server.port=0",
                "--spring.datasource.url=" + stack.postgres().jdbcUrl(),
                "--spring.datasource.username=" + stack.postgres().user(),
                "--spring.datasource.password=" + stack.postgres().password(),
                "--spring.kafka.bootstrap-servers=" + stack.kafka().bootstrap(),
                "--spring.data.redis.repositories.enabled=false",
                "--spring.data.jpa.repositories.enabled=false",
                "--spring.jpa.open-in-view=false",
                "--weir.publish.enabled=true",
                "--weir.outbox.enabled=true",
                "--weir.outbox.attempts=2",
                "--weir.outbox.retry-backoff=20ms",
                "--weir.outbox.lease-time=2s",
                "--weir.outbox.sample-interval=1s",
                "--weir.defer.enabled=true",
                "--management.endpoints.web.exposure.include=weir,weiroutbox"));
        settings.addAll(List.of(more));
        // Of two with one name the last counts; Spring would take both.
        Map<String, String> byName = new LinkedHashMap<>();
        settings.forEach(setting -> byName.put(setting.substring(0, setting.indexOf('=')), setting));
        return List.copyOf(byName.values());
    }

    @AfterAll
    static void stop() {
        context.close();
        stack.close();
    }

    @Test
    void whatCommitsIsDeliveredAndWhatDoesNotIsNot() throws Exception {
        orders.place("one");
        assertThatThrownBy(() -> orders.placeAndFail("two")).hasMessage("no stock");
        orders.place("three");

        await("both events", () -> values(TOPIC).containsAll(List.of("one", "three")));
        await("both invoices", () -> sent().containsAll(List.of("one", "three")));
        assertThat(values(TOPIC)).doesNotContain("two");
        assertThat(sent()).doesNotContain("two");
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        for (String outbox : List.of("events", "deferred")) {
            await(
                    "the lag of " + outbox,
                    () -> meters.get("weir.outbox.lag")
                                    .tag("outbox", outbox)
                                    .timer()
                                    .count()
                            > 0);
            await(
                    "the backlog of " + outbox,
                    () -> meters.get("weir.outbox.waiting")
                                    .tag("outbox", outbox)
                                    .gauge()
                                    .value()
                            == 0);
        }
    }

    @Test
    void aTransactionWithinAnotherHasEventsOfItsOwn() throws Exception {
        assertThatThrownBy(() -> orders.placeAround("outer", "inner")).hasMessage("no stock");

        await("the inner event", () -> values(TOPIC).contains("inner"));
        assertThat(values(TOPIC)).doesNotContain("outer");
    }

    @Test
    void withoutATransactionTheCallIsRefused() {
        assertThatThrownBy(() -> orders.placeWithoutTransaction("four"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No transaction is active");
        assertThatThrownBy(() -> invoices.send("four"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No transaction is active");
    }

    @Test
    void afterTheCommitTheCallIsRefusedAndWithATransactionOfItsOwnItIsNot() throws Exception {
        orders.placeInACallback("five", "six");

        assertThat(orders.refused()).contains("committed already");
        await("the event of its own transaction", () -> values(TOPIC).contains("six"));
        assertThat(values(TOPIC)).doesNotContain("five");
    }

    /** Both instances are killed in the middle of their work; what is left is done by a third. */
    @Test
    void whatWasDeferredIsDoneInOrderThoughEachInstanceIsKilled() throws Exception {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("CREATE TABLE killed_keys AS SELECT key, 0 AS number FROM generate_series(0, "
                + (KilledService.KEYS - 1) + ") key");
        jdbc.execute("CREATE TABLE killed_done (position bigserial, key int, number int, rolled_back boolean)");
        Process first = killed();
        Process second = killed();
        try (BufferedReader firstSays = first.inputReader();
                BufferedReader secondSays = second.inputReader()) {
            awaitReady(firstSays);
            awaitReady(secondSays);
            await("work", () -> count("killed_done") > 100);
            first.destroyForcibly().waitFor();
            long before = count("killed_done");
            await("more work", () -> count("killed_done") > before + 100);
        } finally {
            first.destroyForcibly().waitFor();
            second.destroyForcibly().waitFor();
        }

        try (ConfigurableApplicationContext third = service(KilledService.class, KILLED)) {
            assertThat(third.isRunning()).isTrue();
            await("the end of the work", () -> count("killed_deferred") == 0);
        }

        assertThat(count("killed_deferred_parked")).isZero();
        assertThat(count("killed_done WHERE rolled_back")).isZero();
        for (int key = 0; key < KilledService.KEYS; key++) {
            Integer committed = jdbc.queryForObject("SELECT number FROM killed_keys WHERE key = ?", Integer.class, key);
            assertThat(jdbc.queryForList(
                            "SELECT number FROM killed_done WHERE key = ? GROUP BY number ORDER BY min(position)",
                            Integer.class,
                            key))
                    .as("key %d, in the order of first appearances", key)
                    .isEqualTo(IntStream.rangeClosed(1, committed == null ? 0 : committed)
                            .boxed()
                            .toList());
        }
    }

    private static Process killed() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledService.class.getName()));
        command.addAll(settings(KILLED));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitReady(BufferedReader says) throws IOException {
        String line = says.readLine();
        while (line != null && !line.equals("ready")) {
            line = says.readLine();
        }
        assertThat(line).as("an instance that is ready").isNotNull();
    }

    @Test
    void aDeferredCallThatComesTwiceIsDoneOnceWithTheHelper() throws Exception {
        orders.place("again");
        await("the invoice", () -> sent().contains("again"));
        UUID id = invoices.ids().getLast();

        context.getBean(JdbcTemplate.class)
                .update(
                        "INSERT INTO weir_deferred (event_id, key_hash, topic, payload) VALUES (?, 1, 'send-invoice', ?)",
                        id,
                        "[\"again\"]".getBytes(StandardCharsets.UTF_8));

        await("the repetition", () -> invoices.ids().stream().filter(id::equals).count() == 2);
        await("its removal", () -> count("weir_deferred") == 0);
        assertThat(sent().stream().filter("again"::equals)).hasSize(1);
    }

    @Test
    void aParkedCallIsListedReplayedAndDiscarded(CapturedOutput output) throws Exception {
        invoices.setBroken(true);
        orders.place("broken");
        await("parking", () -> parked() == 1);
        invoices.setBroken(false);

        JsonNode listed = ask("GET", "/deferred", "", 200);
        JsonNode item = listed.path("parked").path(0);
        assertThat(listed.path("count").asInt()).isEqualTo(1);
        assertThat(item.path("topic").asString()).isEqualTo("send-invoice");
        assertThat(item.path("reason").asString()).contains("no paper");
        assertThat(item.path("attempts").asInt()).isEqualTo(2);
        assertThat(output).contains("of topic send-invoice is parked after 2 attempts");
        await("the warning", () -> features().contains("are parked"));

        String id = item.path("id").asString();
        JsonNode done = ask("POST", "/deferred", "{\"action\":\"replay\",\"ids\":\"" + id + "\"}", 200);
        assertThat(done.path("events").asInt()).isEqualTo(1);
        await("the invoice", () -> sent().contains("broken"));

        invoices.setBroken(true);
        orders.place("broken again");
        await("parking again", () -> parked() == 1);
        assertThat(ask("POST", "/deferred", "{\"action\":\"discard\",\"all\":true}", 200)
                        .path("left")
                        .asInt())
                .isZero();
        invoices.setBroken(false);
        assertThat(ask("POST", "/deferred", "{\"action\":\"replay\",\"ids\":\"" + id + "\"}", 400)
                        .path("error")
                        .asString())
                .contains("None of these events is parked");
        assertThat(ask("POST", "/nothing", "{\"action\":\"replay\",\"all\":true}", 404)
                        .path("error")
                        .asString())
                .contains("There is no outbox nothing; there is events, deferred.");
    }

    @Test
    void eventsOutsideATransactionGoByThePublisher() throws Exception {
        context.getBean(BatchingPublisher.class)
                .publishOrThrow(Event.of("plain", "k", "hello".getBytes(StandardCharsets.UTF_8)))
                .get(20, TimeUnit.SECONDS);
        assertThat(values("plain")).contains("hello");
    }

    @Test
    void transactionsOfJpaAreJoinedToo() throws Exception {
        try (ConfigurableApplicationContext other = service(JpaService.class)) {
            assertThat(other.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
            Orders others = other.getBean(Orders.class);
            assertThatThrownBy(() -> others.placeAndFail("not by jpa")).hasMessage("no stock");
            others.place("by jpa");

            await("the event", () -> values(TOPIC).contains("by jpa"));
            await("the invoice", () -> sent().contains("by jpa"));
            assertThat(values(TOPIC)).doesNotContain("not by jpa");
        }
    }

    @Test
    void aStopDeliversWhatWasPublished() throws Exception {
        ConfigurableApplicationContext other = service(Service.class, "--weir.publish.linger=1m");
        assertThat(other.getBean(BatchingPublisher.class)
                        .offer(Event.of("plain", "k", "last".getBytes(StandardCharsets.UTF_8))))
                .isTrue();
        other.close();
        assertThat(values("plain")).contains("last");
    }

    @Test
    void missingTablesStopTheStartWhereTheyAreToBeChecked(CapturedOutput output) {
        assertThatThrownBy(() -> service(Service.class, "--weir.outbox.schema=check", "--weir.outbox.table=absent"))
                .isNotNull();
        assertThat(output)
                .contains(
                        "The outbox lacks table absent, table absent_parked, table absent_lease, table absent_member.")
                .contains("set weir.outbox.schema=create")
                .doesNotContain("\tat dev.weir");
    }

    private static List<String> sent() {
        return context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM sent", String.class);
    }

    private static long parked() {
        return count("weir_deferred_parked");
    }

    private static long count(String table) {
        Long count = context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM " + table, Long.class);
        return count == null ? 0 : count;
    }

    private static String features() throws Exception {
        return body(HttpRequest.newBuilder(URI.create(base() + "/weir")).build(), 200);
    }

    private static String base() {
        return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator";
    }

    private static JsonNode ask(String method, String path, String body, int status) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + "/weiroutbox" + path))
                .header("Content-Type", "application/json");
        request.method(
                method,
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        return JsonMapper.shared().readTree(body(request.build(), status));
    }

    private static String body(HttpRequest request, int status) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
            return answer.body();
        }
    }

    private static List<String> values(String topic) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", stack.kafka().bootstrap(), "enable.auto.commit", false);
        List<String> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> all.add(record.value()));
            }
        }
        return all;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    @Import(Beans.class)
    static class Service {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Beans.class)
    static class JpaService {}

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Orders orders(JdbcTemplate jdbc, Outbox outbox, Invoices invoices, ObjectProvider<Orders> self) {
            return new Orders(jdbc, outbox, invoices, self);
        }

        @Bean
        Invoices invoices(JdbcTemplate jdbc) {
            return new Invoices(jdbc);
        }
    }

    /** What a developer writes. */
    static class Orders {
        private final JdbcTemplate jdbc;
        private final Outbox outbox;
        private final Invoices invoices;
        private final ObjectProvider<Orders> self;
        private volatile String refused = "";

        Orders(JdbcTemplate jdbc, Outbox outbox, Invoices invoices, ObjectProvider<Orders> self) {
            this.jdbc = jdbc;
            this.outbox = outbox;
            this.invoices = invoices;
            this.self = self;
        }

        @Transactional
        public void place(String id) {
            jdbc.update("INSERT INTO placed VALUES (?)", id);
            outbox.add(Event.of(TOPIC, id, id.getBytes(StandardCharsets.UTF_8)));
            invoices.send(id);
        }

        @Transactional
        public void placeAndFail(String id) {
            place(id);
            throw new IllegalStateException("no stock");
        }

        @Transactional
        public void placeAround(String outer, String inner) {
            place(outer);
            self.getObject().placeAlone(inner);
            throw new IllegalStateException("no stock");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void placeAlone(String id) {
            place(id);
        }

        /** One in the callback itself, one in a transaction of its own. */
        @Transactional
        public void placeInACallback(String inCallback, String alone) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    try {
                        outbox.add(Event.of(TOPIC, inCallback, inCallback.getBytes(StandardCharsets.UTF_8)));
                    } catch (IllegalStateException told) {
                        refused = String.valueOf(told.getMessage());
                    }
                    self.getObject().placeAlone(alone);
                }
            });
        }

        String refused() {
            return refused;
        }

        public void placeWithoutTransaction(String id) {
            outbox.add(Event.of(TOPIC, id, new byte[0]));
        }
    }

    /** Work that waits until after the commit. */
    static class Invoices {
        private final List<UUID> ids = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;
        private final IdempotentHandler once = new IdempotentHandler("seen", "invoices");
        private volatile boolean broken;

        Invoices(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        List<UUID> ids() {
            return ids;
        }

        void setBroken(boolean now) {
            broken = now;
        }

        @Deferrable(value = "send-invoice", key = "order")
        @Transactional
        public void send(String order) {
            UUID id = Deferred.eventId().orElseThrow();
            ids.add(id);
            if (broken) {
                throw new IllegalStateException("no paper");
            }
            jdbc.execute((Connection transaction) ->
                    once.handle(transaction, id, same -> jdbc.update("INSERT INTO sent VALUES (?)", order)));
        }
    }
}
