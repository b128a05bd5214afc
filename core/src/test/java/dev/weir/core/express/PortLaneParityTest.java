package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Each kind of request that a lane beside Tomcat's parser could get wrong, by name: answered as by a server without the
 * lane, alone and between two plain requests on one connection, and by the poller only where it should be.
 */
@Timeout(60)
class PortLaneParityTest {

    private static final String HOT = request("GET /p/1 HTTP/1.1", "Host: h", "Accept: application/json");
    private static final String TAG = EntityTags.of(Twins.json(1));

    static final List<Arguments> LEFT_ALONE = List.of(
            odd("Authorization", PassedOn.HEADER, get("Authorization: Basic YTpi")),
            odd("Cookie", PassedOn.HEADER, get("Cookie: session=1")),
            odd("Transfer-Encoding: chunked", PassedOn.HEADER, get("Transfer-Encoding: chunked") + "0\r\n\r\n"),
            odd("Transfer-Encoding, name and colon apart", PassedOn.HEADER, get("Transfer-Encoding : chunked")),
            odd("Content-Length: 0", PassedOn.HEADER, get("Content-Length: 0")),
            odd("Content-Length with a body", PassedOn.HEADER, get("Content-Length: 5") + "12345"),
            odd(
                    "Content-Length and Transfer-Encoding",
                    PassedOn.HEADER,
                    get("Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n"),
            odd("two equal Hosts", PassedOn.HEADER, get("Host: h")),
            odd("two Hosts", PassedOn.HEADER, get("Host: other")),
            odd("no Host", PassedOn.HEADER, request("GET /p/1 HTTP/1.1", "Accept: */*")),
            odd("absolute form", PassedOn.TARGET, request("GET http://h/p/1 HTTP/1.1", "Host: h")),
            odd("absolute form of another host", PassedOn.TARGET, request("GET http://x/p/1 HTTP/1.1", "Host: h")),
            odd("a folded header", PassedOn.INCOMPLETE, get("User-Agent: a\r\n b")),
            odd("a folded known header", PassedOn.INCOMPLETE, get("Accept: application/json,\r\n\t*/*")),
            odd("NUL in a value", PassedOn.HEADER, get("User-Agent: a\0b")),
            odd("NUL in a name", PassedOn.HEADER, get("User\0Agent: a")),
            odd("NUL in the path", PassedOn.TARGET, request("GET /p/1\0 HTTP/1.1", "Host: h")),
            odd("a header longer than the buffer", PassedOn.INCOMPLETE, get("User-Agent: " + "x".repeat(9_000))),
            odd(
                    "more headers than counted",
                    PassedOn.HEADER,
                    get("Dnt: 1\r\n".repeat(120).strip())),
            odd("HTTP/1.0", PassedOn.METHOD_OR_VERSION, request("GET /p/1 HTTP/1.0", "Host: h")),
            odd(
                    "HTTP/1.0 with keep-alive",
                    PassedOn.METHOD_OR_VERSION,
                    request("GET /p/1 HTTP/1.0", "Host: h", "Connection: keep-alive")),
            odd("Connection: close", PassedOn.HEADER, get("Connection: close")),
            odd("Connection naming Host", PassedOn.HEADER, get("Connection: host")),
            odd("an escaped path", PassedOn.TARGET, request("GET /p/%31 HTTP/1.1", "Host: h")),
            odd("an escaped slash", PassedOn.TARGET, request("GET /p%2F1 HTTP/1.1", "Host: h")),
            odd("a path parameter", PassedOn.TARGET, request("GET /p/1;x=1 HTTP/1.1", "Host: h")),
            odd(
                    "a path parameter before the last segment",
                    PassedOn.TARGET,
                    request("GET /p;x=1/1 HTTP/1.1", "Host: h")),
            odd("dot segments", PassedOn.TARGET, request("GET /p/../p/1 HTTP/1.1", "Host: h")),
            odd("a query", PassedOn.TARGET, request("GET /p/1?x=1 HTTP/1.1", "Host: h")),
            odd("an empty query", PassedOn.TARGET, request("GET /p/1? HTTP/1.1", "Host: h")),
            odd("a list in If-None-Match", PassedOn.HEADER, get("If-None-Match: \"x\", " + TAG)),
            odd("a list over two lines", PassedOn.HEADER, get("If-None-Match: \"x\"", "If-None-Match: " + TAG)),
            odd("a weak tag", PassedOn.HEADER, get("If-None-Match: W/" + TAG)),
            odd("any tag", PassedOn.HEADER, get("If-None-Match: *")),
            odd("Range", PassedOn.HEADER, get("Range: bytes=0-1")),
            odd("Range and If-Range", PassedOn.HEADER, get("Range: bytes=0-1", "If-Range: " + TAG)),
            odd(
                    "Accept with qualities",
                    PassedOn.HEADER,
                    get("Accept: application/json;q=0.1, application/x-protobuf")),
            odd("Accept that refuses", PassedOn.HEADER, get("Accept: application/json;q=0, text/html")),
            odd("two Accepts", PassedOn.HEADER, get("Accept: text/html", "Accept: application/json")),
            odd("Accept-Encoding that refuses gzip", PassedOn.HEADER, get("Accept-Encoding: gzip;q=0, *")),
            odd("Expect", PassedOn.HEADER, get("Expect: 100-continue")),
            odd("Upgrade", PassedOn.HEADER, get("Connection: upgrade", "Upgrade: websocket")),
            odd("POST", PassedOn.METHOD_OR_VERSION, request("POST /p/1 HTTP/1.1", "Host: h", "Content-Length: 0")),
            odd("a bare line feed", PassedOn.HEADER, "GET /p/1 HTTP/1.1\r\nHost: h\nCookie: a=b\r\n\r\n"),
            odd("an empty line first", PassedOn.METHOD_OR_VERSION, "\r\n" + HOT),
            odd("two requests in one piece", PassedOn.PIPELINED, HOT + HOT));

    static final List<Arguments> ANSWERED = List.of(
            plain("GET", HOT),
            plain("HEAD", request("HEAD /p/1 HTTP/1.1", "Host: h")),
            plain("HEAD of gzip", request("HEAD /p/1 HTTP/1.1", "Host: h", "Accept-Encoding: gzip")),
            plain("protobuf", get("Accept: application/x-protobuf")),
            plain("gzip", get("Accept-Encoding: gzip, deflate, br")),
            plain("the tag the client has", get("If-None-Match: " + TAG)),
            plain(
                    "HEAD with the tag the client has",
                    request("HEAD /p/1 HTTP/1.1", "Host: h", "If-None-Match: " + TAG)),
            plain("a tag the client had", get("If-None-Match: \"old\"")),
            plain("the tag of gzip for the plain form", get("If-None-Match: " + EntityTags.gzipped(TAG))),
            plain("keep-alive", get("Connection: keep-alive")),
            plain("no space after the colon", get("Accept:*/*")),
            plain("a proxy's headers", get("X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https", "Via: 1.1 p")));

    private static Twins twins;

    @BeforeAll
    static void start() throws IOException {
        twins = new Twins();
    }

    @AfterAll
    static void stop() {
        twins.close();
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("LEFT_ALONE")
    void leavesAlone(String name, PassedOn reason, String request) throws IOException {
        long passed = twins.on.lane.passedOn(reason);
        long answered = twins.on.answered();
        assertAlike(request);
        assertThat(twins.on.lane.passedOn(reason))
                .as("passed on for %s", reason)
                .isGreaterThan(passed);
        assertThat(twins.on.answered()).isEqualTo(answered);
        assertAlikeBetweenPlainOnes(request);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("ANSWERED")
    void answers(String name, String request) throws IOException {
        long answered = twins.on.answered();
        assertAlike(request);
        assertThat(twins.on.answered()).isEqualTo(answered + 1);
        assertAlikeBetweenPlainOnes(request);
    }

    private static void assertAlike(String stream) throws IOException {
        assertAlike(stream, 0);
    }

    private static void assertAlikeBetweenPlainOnes(String request) throws IOException {
        assertAlike(HOT + request + HOT, 3_000_000, HOT.length(), HOT.length() + request.length());
    }

    private static void assertAlike(String stream, long waitNanos, int... cuts) throws IOException {
        byte[] bytes = stream.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(RawClient.exchange(twins.on.port(), bytes, cuts, waitNanos))
                .isEqualTo(RawClient.exchange(twins.off.port(), bytes, cuts, waitNanos));
    }

    private static Arguments odd(String name, PassedOn reason, String request) {
        return Arguments.of(name, reason, request);
    }

    private static Arguments plain(String name, String request) {
        return Arguments.of(name, request);
    }

    private static String get(String... headers) {
        return request(
                "GET /p/1 HTTP/1.1",
                Stream.concat(Stream.of("Host: h"), Stream.of(headers)).toArray(String[]::new));
    }

    private static String request(String line, String... headers) {
        return line + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }
}
