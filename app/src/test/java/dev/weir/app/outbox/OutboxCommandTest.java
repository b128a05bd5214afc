package dev.weir.app.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.Weir;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command against an actuator that answers what the test says. */
class OutboxCommandTest {

    private final List<String> asked = new ArrayList<>();
    private HttpServer server;
    private String answer = "";
    private int status = 200;

    private record Run(int exitCode, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/actuator/weiroutbox", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                    + exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Run run(String... arguments) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/actuator/";
        return plain(
                Stream.concat(Stream.of(arguments), Stream.of("--url", url)).toArray(String[]::new));
    }

    private static Run plain(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                Weir.commandLine(new PrintWriter(out), new PrintWriter(err)).addSubcommand(new OutboxCommand());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = line.execute(
                Stream.concat(Stream.of("outbox"), Stream.of(arguments)).toArray(String[]::new));
        return new Run(exitCode, out.toString(), err.toString());
    }

    @Test
    void printsHowTheOutboxesStand() {
        answer = """
                {"outboxes": {"events": {"table": "t", "waiting": 3, "oldestAgeMillis": 65000, "parked": 1, "relay": {"delivered": 9}},
                 "deferred": {"table": "d", "waiting": null, "oldestAgeMillis": null, "parked": null, "relay": {"delivered": 0}}}}""";

        Run run = run("list");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out().lines())
                .containsExactly(
                        "events     3 waiting (the oldest for 65 s), 1 parked, 9 delivered by this instance",
                        "deferred   the database does not answer the service");
    }

    @Test
    void printsWhatIsParked() {
        answer = """
                {"count": 7, "parked": [{"id": "0d7a", "topic": "send-invoice", "key": "42", "bytes": 12, "attempts": 8,
                 "reason": "no paper", "parkedAt": "2026-12-01T10:00:00Z"}]}""";

        Run run = run("list", "deferred", "--most", "1", "-H", "Authorization: Bearer x");

        assertThat(asked).containsExactly("GET /actuator/weiroutbox/deferred?most=1 [Bearer x]");
        assertThat(run.out().lines())
                .containsExactly(
                        "0d7a  2026-12-01T10:00:00Z  send-invoice/42  12 bytes, 8 attempts: no paper",
                        "1 of 7 events parked.");
        assertThat(run("list", "deferred", "--json").out()).contains("\"count\" : 7");
    }

    @Test
    void whatClientsSentStaysInItsLine() {
        answer = """
                {"count": 1, "parked": [{"id": "0d7a", "topic": "t", "key": "4\\u001b[2J2", "bytes": 12, "attempts": 8,
                 "reason": "no paper\\r\\n0d7b  forged", "parkedAt": "2026-12-01T10:00:00Z"}]}""";

        assertThat(run("list", "deferred").out().lines())
                .containsExactly(
                        "0d7a  2026-12-01T10:00:00Z  t/4 [2J2  12 bytes, 8 attempts: no paper 0d7b  forged",
                        "1 of 1 event parked.");
    }

    @Test
    void replaysAndDiscards() {
        answer = "{\"action\": \"replay\", \"events\": 2, \"left\": 1}";

        assertThat(run("replay", "events", "a", "b").out())
                .isEqualToIgnoringNewLines("2 events put behind what waits, 1 still parked.");
        assertThat(run("discard", "events", "--all").out())
                .isEqualToIgnoringNewLines("2 events deleted, 1 still parked.");

        assertThat(asked)
                .containsExactly(
                        "POST /actuator/weiroutbox/events {\"action\":\"replay\",\"ids\":\"a,b\"}[]",
                        "POST /actuator/weiroutbox/events {\"action\":\"discard\",\"all\":true}[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "400 | {\"error\": \"'x' is no id of an event.\"} | 2 | 'x' is no id of an event.",
                "404 | {\"error\": \"There is no outbox x.\"} | 2 | There is no outbox x.",
                "503 | {\"error\": \"The database is away.\"} | 3 | The database is away.",
                "404 | {\"status\": 404, \"error\": \"Not Found\"} | 3 | must name weiroutbox",
                "401 | - | 3 | say who you are with --header",
                "405 | {\"error\": \"Method Not Allowed\"} | 3 | allows reading alone",
                "200 | <html> | 3 | no answer of a service with weir.outbox",
            })
    void whatIsNoAnswerIsASentence(int code, String body, int exitCode, String sentence) {
        status = code;
        answer = body;

        Run run = run("replay", "events", "x");

        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.err()).contains(sentence).doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "'replay,events', 'say which events'",
        "'discard,events,--all,x', 'say which events'",
        "'list,--most,0', '--most is 0'",
        "'list,-u,nowhere', 'must be the address of an actuator'",
        "'list,-u,ftp://x/y', 'must be the address of an actuator'",
        "'list,-H,x', '--header must be NAME:VALUE'",
        "'replay', 'Missing required parameter'",
        "'', 'Say what to do'",
    })
    void aWrongCommandLineIsASentence(String arguments, String sentence) {
        Run run = plain(arguments.isEmpty() ? new String[0] : arguments.split(",", -1));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(sentence);
    }

    @Test
    void aServiceThatIsNotThereIsASentence() {
        Run run = plain("list", "--url", "http://127.0.0.1:1/actuator");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err()).contains("does not answer").contains("--url");
    }
}
