package dev.weir.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080, http://localhost:8080/, localhost:8080",
        "HTTP://localhost:80/x, http://localhost/x, localhost",
        "https://example.org, https://example.org/, example.org",
        "https://example.org:8443/a?b=c, https://example.org:8443/a?b=c, example.org:8443",
        "http://127.0.0.1:8080?q=1, http://127.0.0.1:8080/?q=1, 127.0.0.1:8080",
        "http://[::1]:8080/x, http://[::1]:8080/x, [::1]:8080",
        "http://localhost:8080/x#part, http://localhost:8080/x, localhost:8080",
        "http://localhost/a b?c=d e, http://localhost/a%20b?c=d%20e, localhost",
        "http://localhost/%20é/100%, http://localhost/%20%C3%A9/100%25, localhost",
        "http://bücher.example/, http://xn--bcher-kva.example/, xn--bcher-kva.example",
    })
    void readsUrlsAndEncodesWhatMayNotBeSent(String url, String sent, String hostHeader) {
        Target target = Target.parse(url);

        assertThat(target.url()).isEqualTo(sent);
        assertThat(target.hostHeader()).isEqualTo(hostHeader);
    }

    @Test
    void leavesTheBracketsOutOfAnIpv6Host() {
        assertThat(Target.parse("http://[::1]:8080/x").host()).isEqualTo("::1");
    }

    @Test
    void namesAnIpv6EndpointWithBrackets() {
        assertThat(Target.parse("http://[::1]:8080/x").endpoint()).isEqualTo("[::1]:8080");
        assertThat(Target.parse("https://example.org/").endpoint()).isEqualTo("example.org:443");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost:8080",
                "/path",
                "ftp://localhost/",
                "http://",
                "http:///path",
                "http://:8080/",
                "http://localhost:0/",
                "http://localhost:65536/",
                "http://localhost:99999999999/",
                "http://localhost:80x/",
                "http://local host/",
                "http://a:b:c/",
                "http://[::1/",
                "http://[1.2.3.4]/",
                "http://[zz]/",
                "http://user:secret@localhost/",
                "http://localhost/\r\nX: y",
                "http://localhost/\tx"
            })
    void refusesOthersInOneSentence(String url) {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> Target.parse(url))
                .withMessageMatching("[^\\r\\n]{20,}")
                .withMessageNotContaining("secret");
    }

    @Test
    void saysHowToWriteAUrlWithoutScheme() {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> Target.parse("localhost:8080/x"))
                .withMessage("'localhost:8080/x' is not a URL with a scheme: write http://localhost:8080/x");
    }
}
