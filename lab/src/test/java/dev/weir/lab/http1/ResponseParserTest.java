package dev.weir.lab.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.http1.ResponseParser.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseParserTest {
    private static final int MAX_HEADER = 512;
    private static final int MAX_BODY = 1_000;

    private final ResponseParser parser = new ResponseParser(MAX_HEADER, MAX_BODY);

    @Test
    void readsABodyByItsContentLength() {
        assertComplete("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, true);
    }

    @Test
    void findsFieldsWhateverTheirCaseAndPlace() {
        assertComplete(
                "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncOnTeNt-LeNgTh:\t 5 \r\nConnectionless: close\r\n\r\nhello",
                200,
                true);
    }

    @Test
    void aTlsAlertIsToldFromGarbage() {
        ResponseParser parser = new ResponseParser(1_000, 1_000);
        parser.reset(false);

        Outcome outcome = parser.parse(ByteBuffer.wrap(new byte[] {0x15, 3, 3, 0, 2, 2, 70}));

        assertThat(outcome).isEqualTo(Outcome.MALFORMED);
        assertThat(parser.problem()).contains("use https");
    }

    @Test
    void acceptsAStatusLineWithoutReason() {
        assertComplete("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", 200, true);
        assertComplete("HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", 404, true);
    }

    @Test
    void acceptsBareLineFeeds() {
        assertComplete("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", 200, true);
        assertComplete("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\n", 200, true);
    }

    @Test
    void readsChunksWithExtensionsAndTrailers() {
        assertComplete(
                lines("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, Chunked", "", "5;a=b", "hello")
                        + lines("A ;x", "0123456789", "000", "Expires: never", "X: y", ""),
                200,
                true);
    }

    @Test
    void manyChunksAreNotALongHeader() {
        assertComplete(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(900) + "0\r\n\r\n",
                200,
                true);
    }

    @Test
    void skipsInterimResponses() {
        assertComplete(
                lines("HTTP/1.1 100 Continue", "")
                        + lines("HTTP/1.1 103 Early Hints", "Link: </a>", "Content-Length: 7", "")
                        + lines("HTTP/1.1 200 OK", "Content-Length: 0", ""),
                200,
                true);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void hasNoBodyWhereTheStatusForbidsOne(int status) {
        assertComplete("HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\n", status, true);
        assertComplete("HTTP/1.1 " + status + " x\r\nTransfer-Encoding: chunked\r\n\r\n", status, true);
    }

    @Test
    void hasNoBodyInAnswerToHead() {
        parser.reset(true);

        assertThat(parser.parse(buffer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")))
                .isEqualTo(Outcome.COMPLETE);
        assertThat(parser.reusable()).isTrue();
    }

    @Test
    void leavesTheBytesAfterTheResponse() {
        parser.reset(false);
        ByteBuffer in = buffer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP");

        assertThat(parser.parse(in)).isEqualTo(Outcome.COMPLETE);
        assertThat(in.remaining()).isEqualTo(4);
    }

    @Test
    void aBodyWithoutLengthEndsWithTheConnection() {
        parser.reset(false);

        assertThat(parser.parse(buffer("HTTP/1.1 200 OK\r\n\r\nhello"))).isEqualTo(Outcome.INCOMPLETE);
        assertThat(parser.endOfInput()).isTrue();
        assertThat(parser.reusable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            })
    void anEarlyCloseIsNoEnd(String begun) {
        parser.reset(false);

        assertThat(parser.parse(buffer(begun))).isEqualTo(Outcome.INCOMPLETE);
        assertThat(parser.endOfInput()).isFalse();
    }

    @Test
    void tellsWhetherTheConnectionMayBeUsedAgain() {
        assertComplete("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 200, false);
        assertComplete("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, Close\r\n\r\n", 200, false);
        assertComplete("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: closed\r\n\r\n", 200, true);
        assertComplete("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", 200, false);
        assertComplete("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", 200, true);
    }

    @Test
    void readsAResponseWithBothLengthsAsChunkedAndDoesNotUseItsConnectionAgain() {
        assertComplete(
                "HTTP/1.1 200 OK\r\nContent-Length: 999\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                200,
                false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: empty\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n 5\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\rX",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\rX"
            })
    void refusesWhatIsNoResponse(String text) {
        parser.reset(false);

        assertThat(parser.parse(buffer(text))).isEqualTo(Outcome.MALFORMED);
        assertThat(parser.problem()).isNotEmpty();
        assertThat(parser.reusable()).isFalse();
    }

    static Stream<String> tooLarge() {
        return Stream.of(
                "HTTP/1.1 200 OK\r\nX: " + "x".repeat(MAX_HEADER),
                "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(MAX_HEADER),
                "HTTP/1.1 100 Continue\r\n\r\n".repeat(MAX_HEADER),
                "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(MAX_BODY + 1),
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3E9\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffffffff\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + "x".repeat(MAX_HEADER),
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + "X: y\r\n".repeat(MAX_HEADER));
    }

    @ParameterizedTest
    @MethodSource
    void tooLarge(String text) {
        parser.reset(false);

        assertThat(parser.parse(buffer(text))).isEqualTo(Outcome.TOO_LARGE);
        assertThat(parser.problem()).isNotEmpty();
    }

    @Test
    void acceptsABodyAsLongAsAllowed() {
        assertComplete("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(MAX_BODY), 200, true);
    }

    /** Seeded random responses, whole or damaged, read at once and in random pieces. */
    @Test
    void theAnswerDoesNotDependOnWhereTheBytesAreCut() {
        Random random = new Random(20_261_130);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = RandomResponse.next(random);
            String whole = answer(new ResponseParser(MAX_HEADER, MAX_BODY), bytes, bytes.length, random);

            String inPieces = answer(new ResponseParser(MAX_HEADER, MAX_BODY), bytes, 1 + random.nextInt(40), random);

            assertThat(inPieces)
                    .as(() -> "of " + new String(bytes, StandardCharsets.ISO_8859_1))
                    .isEqualTo(whole);
        }
    }

    private static String answer(ResponseParser parser, byte[] bytes, int longestPiece, Random random) {
        parser.reset(false);
        int at = 0;
        while (at < bytes.length) {
            int piece = Math.min(bytes.length - at, 1 + random.nextInt(longestPiece));
            if (longestPiece == bytes.length) {
                piece = bytes.length;
            }
            ByteBuffer in =
                    ByteBuffer.allocateDirect(piece).put(bytes, at, piece).flip();
            Outcome outcome = parser.parse(in);
            at += in.position();
            if (outcome != Outcome.INCOMPLETE) {
                return outcome + " " + parser.status() + " " + parser.reusable() + " " + parser.problem() + " after "
                        + at;
            }
        }
        return parser.endOfInput() + " at the end, " + parser.status();
    }

    private void assertComplete(String text, int status, boolean reusable) {
        parser.reset(false);
        ByteBuffer in = buffer(text);

        assertThat(parser.parse(in)).as(parser::problem).isEqualTo(Outcome.COMPLETE);
        assertThat(in.hasRemaining()).isFalse();
        assertThat(parser.status()).isEqualTo(status);
        assertThat(parser.reusable()).isEqualTo(reusable);
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    private static ByteBuffer buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
