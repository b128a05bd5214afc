package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.Http;
import dev.weir.store.Http.Answer;
import dev.weir.store.StoreApplication;
import dev.weir.store.Together;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** The gateway on real servers, with a provider that takes 50 messages a second, fewer than a busy machine hands in, and a bound of 6 s. */
@TestMethodOrder(OrderAnnotation.class)
class GatewayIT {

    private static final int PER_SECOND = 50;
    private static final int BOUND_SECONDS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "the-secret-of-this-test-alone";

    private static @Nullable Stack stack;
    private static @Nullable RecordingProvider provider;
    private static @Nullable CallbackReceiver receiver;
    private static @Nullable CallbackReceiver hanging;
    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() throws IOException {
        stack = Stack.start(
                StackConfig.defaults()
                        .withStandbys(0)
                        .withRedis(false)
                        .withKafka(true)
                        .withStartTimeout(Duration.ofMinutes(3)),
                StackProgress.silent());
        provider = new RecordingProvider();
        receiver = new CallbackReceiver();
        hanging = new CallbackReceiver();
        hanging.hang();
        context = run();
    }

    private static ConfigurableApplicationContext run() {
        Stack servers = Objects.requireNonNull(stack, "not started");
        Postgres postgres = servers.postgres();
        return SpringApplication.run(
                StoreApplication.class,
                "--server.port=0",
                "--spring.datasource.url=" + postgres.jdbcUrl(),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--store.seed.products=10",
                "--store.messages.url=" + provider().url(),
                "--store.messages.timeout=2s",
                "--store.gateway.enabled=true",
                "--store.gateway.kafka.bootstrap.servers=" + servers.kafka().bootstrap(),
                "--store.gateway.provider-per-second=" + PER_SECOND,
                "--store.gateway.max-wait=" + BOUND_SECONDS + "s",
                "--store.gateway.callbacks.allowed-origins=" + receiver().origin() + ","
                        + hanging().origin(),
                "--store.gateway.callbacks.timeout=15s",
                "--store.gateway.callbacks.secret=" + SECRET,
                "--store.gateway.callbacks.attempts=3",
                "--store.gateway.callbacks.retry-backoff=100ms");
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
        if (receiver != null) {
            receiver.close();
        }
        if (hanging != null) {
            hanging.close();
        }
        if (provider != null) {
            provider.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @BeforeEach
    void calm() {
        provider().limit(0);
        provider().answerWith(202);
        await(() -> queued() == 0);
    }

    @Test
    void whatIsAcceptedIsSentOnceAndInOrderPerRecipient() throws Exception {
        List<List<String>> ids = Together.run(
                6,
                lane -> IntStream.range(0, 30)
                        .mapToObj(i -> accepted("client" + lane % 2, "order-" + lane, "text-" + i))
                        .toList());

        Set<String> all = ids.stream().flatMap(List::stream).collect(Collectors.toSet());
        assertThat(all).hasSize(180);
        await(() -> all.stream().allMatch(provider()::has));
        List<String> expected =
                IntStream.range(0, 30).mapToObj(i -> "text-" + i).toList();
        for (int lane = 0; lane < 6; lane++) {
            assertThat(provider().textsByRecipient().get("order-" + lane)).isEqualTo(expected);
        }
        assertThat(provider().taken().stream().filter(taken -> all.contains(taken.key())))
                .hasSize(180);
        String id = ids.getFirst().getLast();
        await(() -> status("client0", id).equals("SENT"));
        JsonNode message = get("client0", id).json();
        assertThat(message.path("providerId").asString()).isEqualTo("msg_" + id);
        assertThat(message.path("endedAt").asString()).isNotEmpty();
    }

    @Test
    void theEstimateIsTheTruthWithinAFifth() throws Exception {
        Map<String, Long> promisedMillis = new HashMap<>();
        Map<String, Long> answeredNanos = new HashMap<>();
        Together.run(16, thread -> {
            for (int i = 0; i < 15; i++) {
                Answer answer = post("estimated", "{\"to\": \"e-" + thread + "-" + i + "\", \"text\": \"x\"}");
                long answered = System.nanoTime();
                assertThat(answer.status()).as(answer.body()).isEqualTo(202);
                synchronized (promisedMillis) {
                    String id = answer.json().path("id").asString();
                    promisedMillis.put(
                            id,
                            answer.json().path("estimate").path("waitMillis").asLong());
                    answeredNanos.put(id, answered);
                }
            }
            return thread;
        });

        await(() -> promisedMillis.keySet().stream().allMatch(provider()::has));
        List<Double> errors = new ArrayList<>();
        provider().taken().stream()
                .filter(taken -> promisedMillis.containsKey(taken.key()))
                .forEach(taken -> {
                    double truth = (taken.atNanos() - Objects.requireNonNull(answeredNanos.get(taken.key()))) / 1e6;
                    double promised = Objects.requireNonNull(promisedMillis.get(taken.key()));
                    errors.add(Math.abs(truth - promised) / Math.max(1_000, truth));
                });
        errors.sort(null);
        assertThat(promisedMillis.values().stream()
                        .mapToLong(Long::longValue)
                        .max()
                        .orElseThrow())
                .isGreaterThan(1_000);
        assertThat(errors.get(errors.size() * 95 / 100))
                .as("95 %% of the errors")
                .isLessThan(0.2);
    }

    @Test
    void beyondTheBoundTheAnswerIs429AndWhenToComeAgain() throws Exception {
        List<Answer> answers = new ArrayList<>();
        Together.run(16, thread -> {
            for (int i = 0; i < 60; i++) {
                Answer answer = post("flood", "{\"to\": \"f-" + thread + "-" + i + "\", \"text\": \"x\"}");
                synchronized (answers) {
                    answers.add(answer);
                }
            }
            return thread;
        });

        Answer refused = answers.stream()
                .filter(answer -> answer.status() == 429)
                .findFirst()
                .orElseThrow();
        assertThat(refused.problem()).isEqualTo("queue-too-long");
        assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 10);
        assertThat(refused.json().path("estimatedWaitMillis").asLong()).isGreaterThan(BOUND_SECONDS * 1_000);
        assertThat(refused.json().path("maxWaitMillis").asLong()).isEqualTo(BOUND_SECONDS * 1_000);
        Answer other = post("not-the-flood", "{\"to\": \"calm\", \"text\": \"x\"}");
        assertThat(other.status()).as(other.body()).isEqualTo(202);
        List<String> ids = answers.stream()
                .filter(answer -> answer.status() == 202)
                .map(answer -> answer.json().path("id").asString())
                .toList();
        assertThat(ids.size()).isGreaterThan(PER_SECOND * BOUND_SECONDS / 2);
        await(() -> ids.stream().allMatch(provider()::has));
    }

    @Test
    void anotherClientsTenDoNotWaitForOnesHundreds() throws Exception {
        Together.run(
                16,
                thread -> IntStream.range(0, 15)
                        .mapToObj(i -> accepted("big", "b-" + thread + "-" + i, "x"))
                        .toList());
        List<String> ten = IntStream.range(0, 10)
                .mapToObj(i -> accepted("small", "s-" + i, "x"))
                .toList();

        await(() -> ten.stream().allMatch(provider()::has));

        assertThat(queued()).as("messages of the other that still wait").isGreaterThan(50);
    }

    // The last one: the pace needs two minutes to be what it was.
    @Order(Integer.MAX_VALUE)
    @Test
    void aProviderThatRefusesLowersThePaceAndNothingIsLost() throws Exception {
        provider().limit(20);
        int refusedBefore = provider().refused();

        List<List<String>> ids = Together.run(
                4,
                thread -> IntStream.range(0, 20)
                        .mapToObj(i -> accepted("slow", "p-" + thread + "-" + i, "x"))
                        .toList());

        await(() -> ids.stream().flatMap(List::stream).allMatch(provider()::has));
        assertThat(metric("store.gateway.pace.cuts")).isGreaterThan(0);
        double lowered = metric("store.gateway.pace");
        assertThat(lowered).isLessThan(25);
        assertThat(provider().refused() - refusedBefore).isLessThan(80);
        provider().limit(0);
        await(() -> metric("store.gateway.pace") > 1.02 * lowered);
    }

    @Test
    void aProviderThatIsAwayDelaysAndLosesNothing() throws Exception {
        provider().goAway();
        String once = "{\"to\": \"a-once\", \"text\": \"x\"}";
        Answer early = post("patient", once, "Idempotency-Key", "away-1");
        assertThat(early.status()).as(early.body()).isEqualTo(202);
        List<String> ids = IntStream.range(0, 40)
                .mapToObj(i -> accepted("patient", "a-" + i % 4, "text-" + i))
                .toList();
        await(() -> metric("store.gateway.standstill") > 0);
        JsonNode waiting = get("patient", ids.getLast()).json();
        assertThat(waiting.path("status").asString()).isEqualTo("QUEUED");
        assertThat(waiting.path("estimate").path("standstillMillis").asLong()).isGreaterThan(2_000);
        assertThat(waiting.path("estimate").path("waitMillis").asLong()).isGreaterThan(2_000);
        MessageTable table = gateway().table();
        assertThat(ids.stream().map(id -> stored(table, id).before()))
                .as("messages of the lane that go before each")
                .containsExactlyElementsOf(
                        IntStream.range(0, 40).mapToObj(i -> i / 4).toList());
        await(() -> ids.stream().anyMatch(id -> stored(table, id).delay().isPositive()));
        // By now the standstill is beyond the bound, and what is new is refused until it ends.
        await(() -> post("patient", once, "Idempotency-Key", UUID.randomUUID().toString())
                        .status()
                == 429);
        Answer again = post("patient", once, "Idempotency-Key", "away-1");
        assertThat(again.status()).as(again.body()).isEqualTo(202);
        assertThat(again.header("idempotency-replayed")).isEqualTo("true");
        assertThat(again.json().path("id")).isEqualTo(early.json().path("id"));
        assertThat(post("patient", "{\"to\": \"a-once\", \"text\": \"y\"}", "Idempotency-Key", "away-1")
                        .problem())
                .isEqualTo("idempotency-key-reused");

        provider().comeBack();

        await(() -> ids.stream().allMatch(provider()::has));
        for (int lane = 0; lane < 4; lane++) {
            int first = lane;
            List<String> expected = IntStream.range(0, 10)
                    .mapToObj(i -> "text-" + (first + 4 * i))
                    .toList();
            assertThat(provider().textsByRecipient().get("a-" + lane)).isEqualTo(expected);
        }
    }

    private static StoredMessage stored(MessageTable table, String id) {
        return table.find(UUID.fromString(id)).orElseThrow();
    }

    @Test
    void twoInstancesShareTheLimitAndKeepTheOrder() throws Exception {
        List<String> ids;
        try (ConfigurableApplicationContext second = run()) {
            await(() -> metric("store.gateway.pace") < 0.6 * PER_SECOND);
            ids = Together.run(
                            4,
                            lane -> IntStream.range(0, 40)
                                    .mapToObj(i -> accepted("both", "t-" + lane, "text-" + i))
                                    .toList())
                    .stream()
                    .flatMap(List::stream)
                    .toList();
            Http other = new Http(
                    Objects.requireNonNull(second.getEnvironment().getProperty("local.server.port", Integer.class)));
            assertThat(other.get("/api/messages/" + ids.getFirst(), "Weir-Client", "both")
                            .status())
                    .isEqualTo(200);
        }

        await(() -> ids.stream().allMatch(provider()::has));
        List<String> expected =
                IntStream.range(0, 40).mapToObj(i -> "text-" + i).toList();
        for (int lane = 0; lane < 4; lane++) {
            assertThat(provider().textsByRecipient().get("t-" + lane)).isEqualTo(expected);
        }
        await(() -> metric("store.gateway.pace") > 0.9 * PER_SECOND);
    }

    @Test
    void whatKafkaHasLostIsPutInAgain() {
        UUID id = NewMessage.newId(System.currentTimeMillis());
        jdbc().update(
                        "with counted as (insert into messages_accepted (client, count) values ('lost', 1))"
                                + " insert into messages (id, client, recipient, body, number, accepted_at)"
                                + " values (?, 'lost', 'l-1', 'x', 1, now() - interval '1 hour')",
                        id);

        gateway().upkeep().resend(Duration.ofMinutes(30));

        await(() -> status("lost", id.toString()).equals("SENT"));
        assertThat(provider().has(id.toString())).isTrue();
    }

    @Test
    void whatHasEndedIsRemovedAfterItsTimeAndItsClientForgotten() {
        String old = accepted("past", "o-1", "x");
        String young = accepted("present", "y-1", "x");
        await(() ->
                status("past", old).equals("SENT") && status("present", young).equals("SENT"));
        jdbc().update("update messages set ended_at = now() - interval '25 hours' where client = 'past'");

        assertThat(gateway().upkeep().clean()).isTrue();

        assertThat(get("past", old).problem()).isEqualTo("message-not-found");
        assertThat(get("present", young).status()).isEqualTo(200);
        assertThat(counts("past")).isZero();
        assertThat(counts("present")).isEqualTo(2);
        String again = accepted("past", "o-1", "x");
        await(() -> status("past", again).equals("SENT"));
    }

    private static long counts(String client) {
        Long rows = jdbc().queryForObject(
                        "select (select count(*) from messages_accepted where client = ?)"
                                + " + (select count(*) from messages_ended_count where client = ?)",
                        Long.class,
                        client,
                        client);
        return Objects.requireNonNull(rows);
    }

    @Test
    void whatTheProviderWillNotTakeFailsWithTheReason() {
        provider().answerWith(422);
        String id = accepted("wrong", "w-1", "x");

        await(() -> status("wrong", id).equals("FAILED"));

        assertThat(get("wrong", id).json().path("reason").asString()).contains("422");
    }

    @Test
    void theSameKeyIsTheSameMessageHoweverOftenItComes() throws Exception {
        String body = "{\"to\": \"k\", \"text\": \"once\"}";

        List<Answer> answers = Together.run(8, i -> post("keyed", body, "Idempotency-Key", "key-1"));

        assertThat(answers).allMatch(answer -> answer.status() == 202);
        assertThat(answers.stream()
                        .map(answer -> answer.json().path("id").asString())
                        .distinct())
                .hasSize(1);
        assertThat(answers.stream()
                        .filter(answer -> answer.header("idempotency-replayed").isEmpty()))
                .hasSize(1);
        Answer other = post("keyed", "{\"to\": \"k\", \"text\": \"other\"}", "Idempotency-Key", "\"key-1\"");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("idempotency-key-reused");
        Answer anotherClient = post("keyed2", body, "Idempotency-Key", "key-1");
        assertThat(anotherClient.json().path("id"))
                .isNotEqualTo(answers.getFirst().json().path("id"));
    }

    @Test
    void callbacksAreSignedAndTriedAgain() {
        receiver().answerNext(500, 302);

        String id = acceptedWithCallback("hooked", "/sent");

        await(() -> receiver().calls(id).size() == 3);
        await(() -> callback("hooked", id).equals("DELIVERED"));
        CallbackReceiver.Call call = receiver().calls(id).getLast();
        assertThat(call.path()).isEqualTo("/sent");
        assertThat(call.signature()).isEqualTo(new Signature(SECRET).sign("hooked", id, call.timestamp(), call.body()));
        assertThat(call.body()).contains("\"type\":\"message.sent\"").contains(id);
    }

    @Test
    void aCallbackNobodyTakesIsParkedUntilItIsAskedFor() {
        receiver().answerNext(500, 500, 500);
        String id = acceptedWithCallback("hooked", "/parked");
        await(() -> callback("hooked", id).equals("PARKED"));
        assertThat(metric("store.gateway.callbacks.parked")).isEqualTo(1);

        Answer again = http().post("/api/messages/" + id + "/callback", "{}", "Weir-Client", "hooked");

        assertThat(again.status()).as(again.body()).isEqualTo(202);
        await(() -> callback("hooked", id).equals("DELIVERED"));
        Answer third = http().post("/api/messages/" + id + "/callback", "{}", "Weir-Client", "hooked");
        assertThat(third.problem()).isEqualTo("callback-not-parked");
    }

    @Test
    void serversThatHangHoldUpNobodyElsesCallbacks() {
        int most = CallbackSender.SLOTS + 8;
        for (int i = 0; i < most; i++) {
            ended("hanging-" + i % 8, hanging().origin() + "/");
        }
        UUID well = ended("well", receiver().origin() + "/well");
        gateway().callbacks().wake();

        await(() -> callback("well", well.toString()).equals("DELIVERED"));

        assertThat(jdbc().queryForObject(
                                "select count(*) from message_callbacks where client like 'hanging-%' and reason is null",
                                Integer.class))
                .as("calls that hang or wait still")
                .isEqualTo(most);
        jdbc().update("delete from message_callbacks where client like 'hanging-%'");
    }

    @Test
    void aParkedCallbackIsNeverTakenForADeliveredOne() {
        MessageTable table = gateway().table();
        jdbc().update("insert into messages (id, client, recipient, body, number, status, accepted_at, ended_at)"
                + " select gen_random_uuid(), 'old', 'r', 'x', n, 'SENT', now() - interval '3 days',"
                + " now() - interval '3 days' from generate_series(1, 5000) n");
        UUID parked = UUID.randomUUID();
        jdbc().update(
                        "insert into message_callbacks (message_id, client, url, parked_at) values (?, 'old', 'http://x', now() - interval '2 days')",
                        parked);
        jdbc().update(
                        "insert into messages (id, client, recipient, body, number, status, callback_url, accepted_at, ended_at)"
                                + " values (?, 'old', 'r', 'x', 5001, 'SENT', 'http://x', now(), now() - interval '2 days')",
                        parked);

        table.purge(Duration.ofDays(1), Duration.ZERO);

        assertThat(table.find(parked).map(StoredMessage::callback))
                .as("after the first 5,000")
                .isIn(Optional.empty(), Optional.of(CallbackState.PARKED));
        assertThat(table.purge(Duration.ofDays(1), PATIENCE)).isTrue();
        assertThat(table.find(parked)).isEmpty();
        assertThat(jdbc().queryForList("select 1 from message_callbacks where message_id = ?", parked))
                .isEmpty();
    }

    /** A message that has ended and whose client is to be told. */
    private static UUID ended(String client, String url) {
        UUID id = UUID.randomUUID();
        jdbc().update(
                        "insert into messages (id, client, recipient, body, number, status, callback_url, accepted_at,"
                                + " ended_at) values (?, ?, 'r', 'x', 1, 'SENT', ?, now(), now())",
                        id,
                        client,
                        url);
        jdbc().update("insert into message_callbacks (message_id, client, url) values (?, ?, ?)", id, client, url);
        return id;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"text\": \"x\"} | validation-failed",
                "{\"to\": \" \", \"text\": \"x\"} | validation-failed",
                "{\"to\": \"a\", \"text\": \"\\u0000\"} | validation-failed",
                "{\"to\": \"a\", \"text\": \"\\ud800\"} | validation-failed",
                "{\"to\": \"a\", \"text\": \"x\", \"callbackUrl\": \"http://169.254.169.254/\"} | validation-failed",
                "{\"to\": \"a\", \"text\": \"x\", \"callbackUrl\": \"http://127.0.0.1:5432/\"} | validation-failed",
                "{\"to\": {}, \"text\": \"x\"} | malformed-body",
                "[] | malformed-body",
                "{ | malformed-body"
            })
    void wrongInputIsAClearRefusal(String body, String problem) {
        Answer answer = post("wrong", body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo(problem);
    }

    @Test
    void nobodySeesAnothersMessage() {
        String id = accepted("mine", "m", "x");

        assertThat(get("yours", id).problem()).isEqualTo("message-not-found");
        assertThat(get("mine", "00000000-0000-7000-8000-000000000000").status()).isEqualTo(404);
        assertThat(get("mine", "x").problem()).isEqualTo("validation-failed");
        assertThat(post("no spaces", "{\"to\": \"a\", \"text\": \"x\"}").status())
                .isEqualTo(400);
        assertThat(post("mine", "{\"to\": \"a\", \"text\": \"x\"}", "Idempotency-Key", "a b")
                        .problem())
                .isEqualTo("idempotency-key-malformed");
    }

    private static String accepted(String client, String to, String text) {
        Answer answer = post(client, "{\"to\": \"" + to + "\", \"text\": \"" + text + "\"}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        String id = answer.json().path("id").asString();
        assertThat(answer.header("location")).isEqualTo("/api/messages/" + id);
        return id;
    }

    private static String acceptedWithCallback(String client, String path) {
        Answer answer = post(
                client,
                "{\"to\": \"cb\", \"text\": \"x\", \"callbackUrl\": \""
                        + receiver().origin() + path + "\"}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        return answer.json().path("id").asString();
    }

    private static Answer post(String client, String body, String... headers) {
        String[] all = new String[headers.length + 2];
        all[0] = "Weir-Client";
        all[1] = client;
        System.arraycopy(headers, 0, all, 2, headers.length);
        return http().post("/api/messages", body, all);
    }

    private static Answer get(String client, String id) {
        return http().get("/api/messages/" + id, "Weir-Client", client);
    }

    private static String status(String client, String id) {
        return get(client, id).json().path("status").asString();
    }

    private static String callback(String client, String id) {
        return get(client, id).json().path("callback").asString();
    }

    private static double queued() {
        return metric("store.gateway.queued");
    }

    private static double metric(String name) {
        return http().get("/actuator/metrics/" + name)
                .json()
                .path("measurements")
                .path(0)
                .path("value")
                .asDouble();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds too late").isLessThan(0);
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static JdbcTemplate jdbc() {
        return Objects.requireNonNull(context, "not started").getBean(JdbcTemplate.class);
    }

    private static Gateway gateway() {
        return Objects.requireNonNull(context, "not started").getBean(Gateway.class);
    }

    private static RecordingProvider provider() {
        return Objects.requireNonNull(provider, "not started");
    }

    private static CallbackReceiver receiver() {
        return Objects.requireNonNull(receiver, "not started");
    }

    private static CallbackReceiver hanging() {
        return Objects.requireNonNull(hanging, "not started");
    }

    private static Http http() {
        var environment = Objects.requireNonNull(context, "not started").getEnvironment();
        return new Http(Objects.requireNonNull(environment.getProperty("local.server.port", Integer.class)));
    }
}
