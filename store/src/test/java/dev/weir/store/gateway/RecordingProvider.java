package dev.weir.store.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A message provider that remembers what it took, in the order it took it; it can be away, and come back on the same port. */
final class RecordingProvider implements AutoCloseable {

    /** One message taken. */
    record Taken(String key, String to, String text, long atNanos) {}

    static final String REFUSED_FOR_SECONDS = "5";

    private final int port;
    private @Nullable HttpServer server;
    private final List<Taken> taken = new ArrayList<>();
    private final Set<String> seenKeys = new HashSet<>();
    private int limitPerSecond;
    private long windowStartNanos = System.nanoTime();
    private int inWindow;
    private int refused;
    private int status = 202;
    private boolean refusing;

    RecordingProvider() throws IOException {
        this.server = listen(0);
        this.port = server.getAddress().getPort();
    }

    private HttpServer listen(int wanted) throws IOException {
        var made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 1_000);
        made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        made.createContext("/messages", this::answer);
        made.start();
        return made;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode body =
                    JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            int answer = take(key, body.path("to").asString(), body.path("text").asString());
            byte[] bytes = ("{\"id\":\"msg_" + key + "\",\"status\":\"accepted\"}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (answer == 429) {
                exchange.getResponseHeaders().set("Retry-After", isRefusing() ? REFUSED_FOR_SECONDS : "1");
            }
            exchange.sendResponseHeaders(answer, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private synchronized int take(String key, String to, String text) {
        long now = System.nanoTime();
        if (now - windowStartNanos >= 1_000_000_000L) {
            windowStartNanos = now;
            inWindow = 0;
        }
        if (refusing || (limitPerSecond > 0 && inWindow >= limitPerSecond)) {
            refused++;
            return 429;
        }
        inWindow++;
        if (status == 202) {
            taken.add(new Taken(key, to, text, now));
            seenKeys.add(key);
        }
        return status;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    synchronized void limit(int perSecond) {
        limitPerSecond = perSecond;
    }

    /** Whether each message is answered 429, and that none is wanted for {@link #REFUSED_FOR_SECONDS}. */
    synchronized void refuse(boolean all) {
        refusing = all;
    }

    private synchronized boolean isRefusing() {
        return refusing;
    }

    synchronized void answerWith(int httpStatus) {
        status = httpStatus;
    }

    synchronized int refused() {
        return refused;
    }

    synchronized boolean has(String key) {
        return seenKeys.contains(key);
    }

    synchronized int count() {
        return seenKeys.size();
    }

    synchronized List<Taken> taken() {
        return List.copyOf(taken);
    }

    /** What each recipient got, repetitions left out. */
    synchronized Map<String, List<String>> textsByRecipient() {
        Map<String, Set<String>> texts = new HashMap<>();
        taken.forEach(each ->
                texts.computeIfAbsent(each.to(), to -> new LinkedHashSet<>()).add(each.text()));
        Map<String, List<String>> lists = new HashMap<>();
        texts.forEach((to, set) -> lists.put(to, List.copyOf(set)));
        return lists;
    }

    void goAway() {
        HttpServer running = server;
        if (running != null) {
            running.stop(0);
            server = null;
        }
    }

    void comeBack() throws IOException {
        server = listen(port);
    }

    @Override
    public void close() {
        goAway();
    }
}
