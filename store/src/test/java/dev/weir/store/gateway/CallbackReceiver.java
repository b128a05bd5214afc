package dev.weir.store.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A client's server for callbacks: answers what it is told to, 204 without, and remembers what came. */
final class CallbackReceiver implements AutoCloseable {

    /** One call. */
    record Call(String path, String id, long timestamp, String signature, String body) {}

    private final HttpServer server;
    private final List<Call> calls = new ArrayList<>();
    private final Deque<Integer> answers = new ArrayDeque<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean hanging;

    CallbackReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                var headers = exchange.getRequestHeaders();
                int answer = add(new Call(
                        exchange.getRequestURI().getPath(),
                        headers.getFirst("webhook-id"),
                        Long.parseLong(headers.getFirst("webhook-timestamp")),
                        headers.getFirst("webhook-signature"),
                        body));
                awaitEnd();
                exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/elsewhere");
                exchange.sendResponseHeaders(answer, -1);
            }
        });
        server.start();
    }

    /** Answers nothing any more until it is closed. */
    void hang() {
        hanging = true;
    }

    private void awaitEnd() throws IOException {
        try {
            if (hanging) {
                closed.await();
            }
        } catch (InterruptedException ended) {
            throw new InterruptedIOException();
        }
    }

    private synchronized int add(Call call) {
        calls.add(call);
        return answers.isEmpty() ? 204 : answers.remove();
    }

    synchronized void answerNext(int... statuses) {
        for (int status : statuses) {
            answers.add(status);
        }
    }

    String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized List<Call> calls(String id) {
        return calls.stream().filter(call -> call.id().equals(id)).toList();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
