package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code weir load} against the JDK's own server. Asserts on counts, which are exact, and not on times. */
class LoadCommandIT {
    private final Map<String, LongAdder> received = new ConcurrentHashMap<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private Path folder;

    private HttpServer server = start();

    private static HttpServer start() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void serve() {
        server.setExecutor(workers);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        workers.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        count(request);
        count(request + " " + new String(body, StandardCharsets.UTF_8));
        count("Accept " + exchange.getRequestHeaders().getFirst("Accept"));
        boolean broken = exchange.getRequestURI().getPath().equals("/broken");
        byte[] content = "hello".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(broken ? 500 : 200, content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    private void count(String what) {
        received.computeIfAbsent(what, key -> new LongAdder()).increment();
    }

    private long received(String what) {
        return received.getOrDefault(what, new LongAdder()).sum();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Test
    void sendsAsManyRequestsAsAskedAndPrintsWhatItMeasured() {
        CommandRun run = CommandRun.of("load", url("/x"), "-n", "50", "-c", "4", "-t", "2", "--timeout", "20s");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith("Closed loop over 4 connections: ")
                .contains("no errors.", "offered 50, sent 50, completed 50", "200: 50", "Requests/sec:");
        assertThat(received("GET /x")).isEqualTo(50);
    }

    @Test
    void writesTheResultAsJsonAndTheHistogramsAsLog() throws IOException {
        Path json = folder.resolve("result.json");
        Path log = folder.resolve("result.hlog");

        CommandRun run = CommandRun.of(
                "load",
                url("/x"),
                "-R",
                "200",
                "-n",
                "40",
                "-c",
                "8",
                "--seed",
                "5",
                "--timeout",
                "20s",
                "--json",
                json.toString(),
                "--hlog",
                log.toString(),
                "--latency");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("Percentiles from the intended time (ms):", "#[Mean");
        assertThat(log).content().contains("#[Histogram log format version", "Tag=intended", "Tag=sent", "Tag=lag");
        JsonNode result = new JsonMapper().readTree(Files.readString(json));
        assertThat(result.at("/schema").stringValue()).isEqualTo("weir.load/1");
        assertThat(result.at("/options/mode").stringValue()).isEqualTo("poisson");
        assertThat(result.at("/options/seed").longValue()).isEqualTo(5);
        assertThat(result.at("/offered").longValue()).isEqualTo(40);
        assertThat(result.at("/statuses/200").longValue()).isEqualTo(40);
        assertThat(result.at("/fromIntended/count").longValue()).isEqualTo(40);
    }

    @Test
    void printsJsonAloneWhereItGoesToStandardOutput() {
        CommandRun run = CommandRun.of("load", url("/x"), "-n", "5", "--json", "-", "--timeout", "20s");

        assertThat(new JsonMapper().readTree(run.out()).at("/completed").longValue())
                .isEqualTo(5);
    }

    @Test
    void failsWhereTheObjectiveDoesNotHold() {
        CommandRun run = CommandRun.of(
                "load", url("/broken"), "-n", "10", "--slo", "p99<100s", "--slo", "errors<1%", "--timeout", "20s");

        assertThat(run.exitCode()).isEqualTo(ExitCode.SLO_FAILED);
        assertThat(run.out())
                .contains("10 errors (100%)", "is broken: errors<1%: it is 100%.", "500: 10", "status: 10");
    }

    @Test
    void sendsAMixFromAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("mix.yaml"), """
                requests:
                  - {name: read, weight: 3, path: "/items/{id}"}
                  - {name: write, weight: 1, path: /orders, body: '{"item": {id}}'}
                values:
                  id: {sequence: {from: 7, to: 7}}
                """);

        CommandRun run = CommandRun.of(
                "load", url(""), "-f", file.toString(), "-n", "80", "-c", "2", "-H", "Accept: a/b", "--timeout", "20s");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(received("GET /items/7")).isBetween(30L, 79L);
        assertThat(received("POST /orders {\"item\": 7}")).isEqualTo(80 - received("GET /items/7"));
        assertThat(received("Accept a/b")).isEqualTo(80);
    }

    @Test
    void sendsABodyAsItIs() throws IOException {
        Path body = Files.writeString(folder.resolve("body.json"), "{\"a\": {b}}");

        CommandRun run = CommandRun.of("load", url("/x"), "-b", "@" + body, "-n", "3", "--timeout", "20s");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(received("POST /x {\"a\": {b}}")).isEqualTo(3);
    }
}
