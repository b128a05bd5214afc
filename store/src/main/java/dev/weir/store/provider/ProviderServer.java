package dev.weir.store.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.weir.store.provider.Charges.Charge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A payment and message provider on the loopback address, for load runs and tests.
 *
 * <p>Every call has a virtual thread of its own that sleeps for the set latency, so thousands of calls in flight cost
 * neither platform threads nor CPU. A charge is made before the latency passes: a client that gives up waiting has been
 * charged, as with a real provider, and finds out by sending the same Idempotency-Key again.
 *
 * <p>Endpoints: {@code POST} and {@code DELETE /charges}, {@code POST /messages}, {@code GET} and {@code PUT /admin}.
 */
public final class ProviderServer implements AutoCloseable {

    static {
        // Read once when the first server of the process is made. Without TCP_NODELAY the second half of an answer
        // waits 40 ms for the client's delayed acknowledgement; with 200 idle connections, the default, a client of
        // a busy service loses its connections between two calls.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "20000");
    }

    private static final int BACKLOG = 4_096;
    private static final int REMEMBERED_CHARGES = 500_000;
    private static final int MAX_BODY_BYTES = 1 << 16;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Endpoint payments;
    private final Endpoint messages;
    private final Charges charges = new Charges(REMEMBERED_CHARGES);
    private final LongAdder replayed = new LongAdder();
    private final LongAdder messagesTaken = new LongAdder();

    private ProviderServer(HttpServer server, Behaviour payments, Behaviour messages) {
        this.server = server;
        this.payments = new Endpoint(payments);
        this.messages = new Endpoint(messages);
    }

    /** Starts a provider that answers after 50 ms and never fails; {@code port} 0 takes a free one. */
    public static ProviderServer start(int port) throws IOException {
        return start(port, Behaviour.DEFAULT, Behaviour.DEFAULT);
    }

    static ProviderServer start(int port, Behaviour payments, Behaviour messages) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var provider = new ProviderServer(HttpServer.create(address, BACKLOG), payments, messages);
        provider.open();
        return provider;
    }

    private void open() {
        server.setExecutor(threads);
        server.createContext("/charges", guarded("POST, DELETE", this::charge));
        server.createContext("/messages", guarded("POST", this::message));
        server.createContext("/admin", guarded("GET, PUT", this::admin));
        server.createContext("/", guarded("", exchange -> answer(exchange, 404, error("There is no such path."))));
        server.start();
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Where clients send to, without a path. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /**
     * Changes settings at run time, as PUT /admin does.
     *
     * @param json such as {@code {"payments": {"latencyMillis": 20}, "messages": {"failureRate": 0.1}}}
     * @throws IllegalArgumentException when a setting is unknown or out of range; nothing is changed then
     */
    public void configure(String json) {
        JsonNode change = readObject(json);
        change.properties().forEach(entry -> {
            if (!entry.getValue().isObject()) {
                throw new IllegalArgumentException("'" + entry.getKey()
                        + "' is no object with settings: write such as {\"payments\": {\"latencyMillis\": 20}}.");
            }
        });
        Behaviour newPayments = changed(payments.behaviour.get(), change.path("payments"));
        Behaviour newMessages = changed(messages.behaviour.get(), change.path("messages"));
        for (String name : change.propertyNames()) {
            if (!name.equals("payments") && !name.equals("messages")) {
                throw new IllegalArgumentException("There is no endpoint '" + name + "': use payments or messages.");
            }
        }
        payments.behaviour.set(newPayments);
        messages.behaviour.set(newMessages);
    }

    /** Charges made since the start; a replayed key counts once. */
    public long charged() {
        return charges.charged();
    }

    /** Charge requests whose key had been used before. */
    public long replayed() {
        return replayed.sum();
    }

    /** Charge and message requests that have arrived, answered or not. */
    public long arrived() {
        return payments.arrived.sum() + messages.arrived.sum();
    }

    /** The largest number of charges that were being answered at the same time. */
    public long mostChargesAtOnce() {
        return payments.mostAtOnce.get();
    }

    /** The largest number of messages that were being answered at the same time. */
    public long mostMessagesAtOnce() {
        return messages.mostAtOnce.get();
    }

    /** Stops at once; calls in flight are cut off. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void charge(HttpExchange exchange) throws IOException {
        Behaviour behaviour = payments.behaviour.get();
        if (payments.refuses(exchange, behaviour)) {
            return;
        }
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (exchange.getRequestMethod().equals("DELETE")) {
            withdraw(exchange, key, behaviour);
            return;
        }
        long amountCents = readObject(body(exchange)).path("amountCents").asLong(0);
        if (key == null || amountCents <= 0) {
            answer(exchange, 400, error("A charge needs an Idempotency-Key and an amountCents above 0."));
            return;
        }
        Charge charge = charges.charge(key, amountCents, chance(behaviour.declineRate()));
        if (charge.replayed()) {
            replayed.increment();
        }
        payments.sleepCounted(behaviour);
        answer(exchange, charge.status(), JSON.valueToTree(charge));
    }

    private void withdraw(HttpExchange exchange, @Nullable String key, Behaviour behaviour) throws IOException {
        if (key == null) {
            answer(exchange, 400, error("A withdrawal needs an Idempotency-Key."));
            return;
        }
        Charge charge = charges.withdraw(key);
        payments.sleepCounted(behaviour);
        answer(exchange, charge.status(), JSON.valueToTree(charge));
    }

    private void message(HttpExchange exchange) throws IOException {
        Behaviour behaviour = messages.behaviour.get();
        if (messages.refuses(exchange, behaviour)) {
            return;
        }
        readObject(body(exchange));
        messagesTaken.increment();
        messages.sleepCounted(behaviour);
        if (chance(behaviour.declineRate())) {
            answer(exchange, 402, error("The message was declined."));
            return;
        }
        answer(
                exchange,
                202,
                JSON.createObjectNode()
                        .put(
                                "id",
                                "msg_"
                                        + Long.toUnsignedString(
                                                ThreadLocalRandom.current().nextLong(), 36))
                        .put("status", "accepted"));
    }

    private void admin(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("PUT")) {
            configure(body(exchange));
        }
        answer(exchange, 200, state());
    }

    private ObjectNode state() {
        ObjectNode state = JSON.createObjectNode();
        state.set("payments", JSON.valueToTree(payments.behaviour.get()));
        state.set("messages", JSON.valueToTree(messages.behaviour.get()));
        state.set(
                "counts",
                JSON.valueToTree(Map.of(
                        "mostChargesAtOnce", payments.mostAtOnce.get(),
                        "mostMessagesAtOnce", messages.mostAtOnce.get(),
                        "chargeRequests", payments.arrived.sum(),
                        "charged", charges.charged(),
                        "chargedCents", charges.chargedCents(),
                        "replayed", replayed.sum(),
                        "failed", payments.failed.sum() + messages.failed.sum(),
                        "limited", payments.limited.sum() + messages.limited.sum(),
                        "messages", messagesTaken.sum())));
        return state;
    }

    /** Nothing a client sends ends a thread without an answer. */
    private HttpHandler guarded(String methods, HttpHandler handler) {
        return exchange -> {
            try (exchange) {
                if (!methods.isEmpty() && !methods.contains(exchange.getRequestMethod())) {
                    exchange.getResponseHeaders().set("Allow", methods);
                    answer(exchange, 405, error("Use " + methods + "."));
                } else {
                    handleOrExplain(exchange, handler);
                }
            }
        };
    }

    private static void handleOrExplain(HttpExchange exchange, HttpHandler handler) throws IOException {
        try {
            handler.handle(exchange);
        } catch (IllegalArgumentException e) {
            answer(exchange, 400, error(String.valueOf(e.getMessage())));
        }
    }

    private static Behaviour changed(Behaviour behaviour, JsonNode settings) {
        Behaviour result = behaviour;
        for (Map.Entry<String, JsonNode> setting : settings.properties()) {
            if (!setting.getValue().isNumber()) {
                throw new IllegalArgumentException(setting.getKey() + " is " + setting.getValue() + ": give a number.");
            }
            result = result.with(setting.getKey(), setting.getValue().asDouble());
        }
        return result;
    }

    private static String body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static JsonNode readObject(String json) {
        try {
            JsonNode node = JSON.readTree(json);
            if (node.isObject()) {
                return node;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The body is not JSON: " + e.getOriginalMessage(), e);
        }
        throw new IllegalArgumentException("The body is not a JSON object.");
    }

    private static ObjectNode error(String message) {
        return JSON.createObjectNode().put("error", message);
    }

    private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
        // Unread input would make the server close the connection.
        exchange.getRequestBody().readNBytes(MAX_BODY_BYTES);
        byte[] bytes = JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static boolean chance(double share) {
        return share > 0 && ThreadLocalRandom.current().nextDouble() < share;
    }

    private static void sleep(Behaviour behaviour) throws IOException {
        try {
            Thread.sleep(behaviour.delayMillis(ThreadLocalRandom.current()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The provider is being stopped", e);
        }
    }

    /** The settings and counters of one of the two endpoints. */
    private static final class Endpoint {

        final AtomicReference<Behaviour> behaviour;
        final RateLimit limit = new RateLimit(System.nanoTime());
        final LongAdder arrived = new LongAdder();
        final LongAdder failed = new LongAdder();
        final LongAdder limited = new LongAdder();
        final AtomicInteger atOnce = new AtomicInteger();
        final LongAccumulator mostAtOnce = new LongAccumulator(Math::max, 0);

        Endpoint(Behaviour behaviour) {
            this.behaviour = new AtomicReference<>(behaviour);
        }

        void sleepCounted(Behaviour current) throws IOException {
            mostAtOnce.accumulate(atOnce.incrementAndGet());
            try {
                sleep(current);
            } finally {
                atOnce.decrementAndGet();
            }
        }

        /** Answers and returns true when this call is over the limit or one of those that fail. */
        boolean refuses(HttpExchange exchange, Behaviour current) throws IOException {
            arrived.increment();
            if (!limit.take(current.limitPerSecond(), System.nanoTime())) {
                limited.increment();
                exchange.getResponseHeaders().set("Retry-After", "1");
                answer(exchange, 429, error("More than " + current.limitPerSecond() + " calls in this second."));
                return true;
            }
            if (chance(current.failureRate())) {
                failed.increment();
                sleep(current);
                answer(exchange, 500, error("The provider failed, as it was set to."));
                return true;
            }
            return false;
        }
    }
}
