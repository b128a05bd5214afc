package dev.weir.bench.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message provider with a limit that remembers what it took and when: the truth the gateway's estimates are held against. It answers
 * after a fixed latency on virtual threads. Any thread may ask it.
 */
final class GatewayTruth implements AutoCloseable {

    static {
        // Without it the second half of an answer waits 40 ms for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
    }

    private static final int BACKLOG = 1_024;
    private static final int TAKEN = 202;
    private static final int TOO_MANY = 429;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final int limitPerSecond;
    private final long latencyMillis;
    private final Map<String, Long> firstNanos = new HashMap<>();
    private final Map<String, List<Long>> numbersByRecipient = new HashMap<>();
    private long windowStartNanos = System.nanoTime();
    private int inWindow;
    private long repeated;
    private long refused;

    private GatewayTruth(HttpServer server, int limitPerSecond, long latencyMillis) {
        this.server = server;
        this.limitPerSecond = limitPerSecond;
        this.latencyMillis = latencyMillis;
    }

    static GatewayTruth start(int limitPerSecond, long latencyMillis) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var truth = new GatewayTruth(HttpServer.create(address, BACKLOG), limitPerSecond, latencyMillis);
        truth.server.setExecutor(truth.threads);
        truth.server.createContext("/messages", truth::answer);
        truth.server.start();
        return truth;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode message =
                    JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            boolean taken = take(
                    key,
                    message.path("to").asString(),
                    Long.parseLong(message.path("text").asString().split(" ", 2)[0]));
            TimeUnit.MILLISECONDS.sleep(latencyMillis);
            byte[] body =
                    "{\"id\":\"%s\",\"status\":\"accepted\"}".formatted(key).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (!taken) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(taken ? TAKEN : TOO_MANY, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean take(String key, String to, long number) {
        long now = System.nanoTime();
        if (now - windowStartNanos >= SECOND_NANOS) {
            windowStartNanos = now;
            inWindow = 0;
        }
        if (inWindow >= limitPerSecond) {
            refused++;
            return false;
        }
        inWindow++;
        if (firstNanos.putIfAbsent(key, now) == null) {
            numbersByRecipient.computeIfAbsent(to, unseen -> new ArrayList<>()).add(number);
        } else {
            repeated++;
        }
        return true;
    }

    /** When it first took this message, by {@link System#nanoTime}; null for not at all. */
    synchronized Map<String, Long> firstNanos() {
        return Map.copyOf(firstNanos);
    }

    synchronized int taken() {
        return firstNanos.size();
    }

    synchronized long repeated() {
        return repeated;
    }

    synchronized long refused() {
        return refused;
    }

    /** Messages that came after a later one of their recipient, repetitions left out. */
    synchronized long outOfOrder() {
        long late = 0;
        for (List<Long> numbers : numbersByRecipient.values()) {
            long highest = Long.MIN_VALUE;
            for (long number : numbers) {
                late += number < highest ? 1 : 0;
                highest = Math.max(highest, number);
            }
        }
        return late;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
