package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneRequestTest {

    private final LaneRequest request = new LaneRequest(new LaneHeaders(List.of("X-Tenant-Hint"), true), 5);

    private @Nullable PassedOn recognise(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return request.recognise(bytes, bytes.length);
    }

    private static String get(String headers) {
        return "GET /p/1 HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
    }

    @Test
    void recognisesAPlainGetAndWhereItsPartsAre() {
        String text = get("Accept: */*\r\nuser-agent: a b\r\nConnection: Keep-Alive\r\n");
        assertThat(recognise(text)).isNull();
        assertThat(text.substring(request.pathFrom, request.pathTo)).isEqualTo("/p/1");
        assertThat(text.substring(request.acceptFrom, request.acceptTo)).isEqualTo("*/*");
        assertThat(request.keepAliveAsked).isTrue();
        assertThat(request.head).isFalse();
        assertThat(request.length()).isEqualTo(text.length());
    }

    @Test
    void forgetsWhatTheRequestBeforeSaid() {
        assertThat(recognise("HEAD /p/1 HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n"))
                .isNull();
        assertThat(request.head).isTrue();
        assertThat(recognise(get(""))).isNull();
        assertThat(request.head).isFalse();
        assertThat(request.acceptFrom).isZero();
        assertThat(request.keepAliveAsked).isFalse();
    }

    @Test
    void takesHeadersThatTheOwnerCallsHarmless() {
        assertThat(recognise(get("x-tenant-hint: 7\r\n"))).isNull();
        assertThat(recognise(get("x-tenant: 7\r\n"))).isEqualTo(PassedOn.HEADER);
    }

    @Test
    void leavesEveryPrefixAlone() {
        String text = get("Accept: */*\r\n");
        for (int end = 0; end < text.length(); end++) {
            assertThat(recognise(text.substring(0, end)))
                    .as("the first %s bytes", end)
                    .isNotNull();
        }
        assertThat(recognise(text)).isNull();
    }

    @Test
    void leavesWhatIsFollowedByMoreAlone() {
        assertThat(recognise(get("") + "G")).isEqualTo(PassedOn.PIPELINED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/p/1?x=1",
                "/p/%31",
                "/p/./1",
                "/p/../1",
                "/p//1",
                "//p",
                "/p;a=b",
                "/p/.h",
                "http://h/p/1",
                "*",
                "p",
                "",
                "/p/\u00e9",
                "/p/\u0001",
                "/p#f",
                "/p\\1",
                "/p/1\t"
            })
    void leavesTargetsAlone(String target) {
        assertThat(recognise("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /p/1 HTTP/1.1\r\nHost: h\r\n\r\n", "get /p/1 HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET  /p/1 HTTP/1.1\r\nHost: h\r\n\r\n", "GET /p/1 HTTP/1.0\r\nHost: h\r\n\r\n",
                "GET /p/1 HTTP/1.1\nHost: h\r\n\r\n", "\r\nGET /p/1 HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /p/1  HTTP/1.1\r\nHost: h\r\n\r\n", "GET /p/1 HTTP/1.1 \r\nHost: h\r\n\r\n",
                "GET /p/1 HTTP/1.1\r\n\r\n", "GET /p/1\r\n\r\n"
            })
    void leavesOtherRequestLinesAlone(String text) {
        assertThat(recognise(text)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cookie: a=b",
                "Authorization: x",
                "X-Unknown: 1",
                "Content-Length: 0",
                "Transfer-Encoding: chunked",
                "Expect: 100-continue",
                "Upgrade: h2c",
                "Connection: close",
                "Connection: keep-alive, close",
                "Range: bytes=0-",
                "Origin: http://o",
                "Host: h",
                "Host : h",
                " Accept: */*",
                "Accept : */*",
                "Accept:\t*/*",
                "Accept: */* ",
                "Accept:  */*",
                "Accept:",
                "Accept: ",
                "Accept",
                ": x",
                "User-Agent: a\u0001",
                "User-Agent: a\tb",
                "User-Agent: \u00e9",
                "Accept: */*\r\nAccept: */*",
                "User-Agent: a\r\n b",
                "User-Agent: a\nCookie: b",
                "If-None-Match: *",
                "If-None-Match: W/\"x\"",
                "If-None-Match: \"x\", \"y\"",
                "If-None-Match: x",
                "Dnt: 1\r\nDnt: 1\r\nDnt: 1\r\nDnt: 1\r\nDnt: 1"
            })
    void leavesRequestsWithOtherHeadersAlone(String header) {
        assertThat(recognise(get(header + "\r\n"))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h", "localhost:8080", "a-b.c1.Example", "127.0.0.1", "127.0.0.1:80"})
    void knowsPlainHosts(String host) {
        assertThat(recognise("GET /p HTTP/1.1\r\nHost: " + host + "\r\n\r\n")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::1]",
                "a..b",
                "-a",
                "a-",
                "a.",
                "a_b",
                "a:",
                "a:b",
                "a:123456",
                "256.1.1.1",
                "1.2.3",
                "01.2.3.4",
                "a b",
                "a,b",
                "a@b",
                "1.2.3.4.5",
                ":80"
            })
    void leavesHostsThatNeedJudgementAlone(String host) {
        assertThat(recognise("GET /p HTTP/1.1\r\nHost: " + host + "\r\n\r\n")).isEqualTo(PassedOn.HEADER);
    }
}
