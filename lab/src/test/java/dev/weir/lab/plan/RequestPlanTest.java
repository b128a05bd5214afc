package dev.weir.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPlanTest {
    private static final Target TARGET = Target.parse("http://localhost:8080/x?y=1");

    @Test
    void encodesAGet() {
        RequestSource source = RequestPlan.get(TARGET).sources(1).create(0, 1);

        assertThat(text(source.next()))
                .isEqualTo("GET /x?y=1 HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: weir\r\n\r\n");
        assertThat(source.isHead()).isFalse();
    }

    @Test
    void sendsTheSameReadOnlyDirectBufferEveryTime() {
        RequestSource source = RequestPlan.get(TARGET).sources(1).create(0, 1);

        ByteBuffer first = source.next();

        assertThat(first.isDirect()).isTrue();
        assertThat(first.isReadOnly()).isTrue();
        assertThat(source.next()).isSameAs(first);
    }

    @Test
    void sendsABodyByteByByteWithItsLength() {
        byte[] body = {0, (byte) 0xff, '{', 'a', '}', '\r', '\n'};
        RequestSource source =
                RequestPlan.single(TARGET, "PUT", List.of(), body).sources(1).create(0, 1);

        byte[] sent = bytes(source.next());

        assertThat(new String(sent, StandardCharsets.ISO_8859_1))
                .endsWith("Content-Length: 7\r\n\r\n" + new String(body, StandardCharsets.ISO_8859_1));
    }

    @Test
    void tellsTheLengthOfAnEmptyPost() {
        assertThat(sent("POST")).contains("Content-Length: 0\r\n\r\n");
        assertThat(sent("DELETE")).doesNotContain("Content-Length");
    }

    @Test
    void putsHeadersInThePlaceOfItsOwn() {
        RequestPlan plan = RequestPlan.single(
                TARGET,
                "GET",
                List.of(
                        Header.parse("host: shop.example"),
                        Header.parse("Accept:application/json"),
                        Header.parse("X:")),
                null);

        assertThat(text(plan.sources(1).create(0, 1).next()).replace("\r\n", "\n"))
                .isEqualTo("""
                        GET /x?y=1 HTTP/1.1
                        User-Agent: weir
                        host: shop.example
                        Accept: application/json
                        X:\s

                        """);
    }

    @Test
    void knowsAHead() {
        assertThat(RequestPlan.single(TARGET, "HEAD", List.of(), null)
                        .sources(1)
                        .create(0, 1)
                        .isHead())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no colon",
                ": value",
                "Bad Name: x",
                "X: a\r\nInjected: b",
                "X: a\nInjected: b",
                "X\r\nY: b",
                "X: \u0000",
                "Content-Length: 5",
                "transfer-encoding: chunked",
                "Expect: 100-continue"
            })
    void refusesHeadersThatWouldBreakTheMessage(String field) {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> Header.parse(field))
                .withMessageMatching("[^\\r\\n]{20,}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GE T", "GET\r\n", "CONNECT", "GÉT"})
    void refusesWhatIsNoMethod(String method) {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> RequestPlan.single(TARGET, method, List.of(), null));
    }

    private static String sent(String method) {
        return text(RequestPlan.single(TARGET, method, List.of(), null)
                .sources(1)
                .create(0, 1)
                .next());
    }

    private static String text(ByteBuffer message) {
        return new String(bytes(message), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.duplicate().get(bytes);
        return bytes;
    }
}
