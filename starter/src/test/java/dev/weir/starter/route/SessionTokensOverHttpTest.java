package dev.weir.starter.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.route.Lsn;
import dev.weir.core.route.RouteSession;
import dev.weir.core.route.SessionTokens;
import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What a request's tokens become, and what its answer carries. */
class SessionTokensOverHttpTest {

    private static final String NAME = "weir-route";
    private static final SessionTokens TOKENS = tokens("a key of at least sixteen bytes");

    private final TokenCounters counters = new TokenCounters();
    private final CookieCarrier cookies = new CookieCarrier(NAME, Duration.ofMinutes(5));
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @Test
    void ofSeveralCookiesTheFurthestValidOneCounts() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setCookies(
                new Cookie(NAME, TOKENS.issue(10)),
                new Cookie(NAME, TOKENS.issue(30)),
                new Cookie(NAME, "garbage"),
                new Cookie(NAME, tokens("a key that only the attacker knows").issue(Lsn.PRIMARY_ONLY)));
        assertThat(needed(cookies, request)).isEqualTo(30);
        assertThat(counters.valid.sum()).isEqualTo(2);
        assertThat(counters.invalid.sum()).isEqualTo(2);
    }

    @Test
    void ofSeveralHeadersAsWell() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader("Weir-Route", TOKENS.issue(10));
        request.addHeader("Weir-Route", TOKENS.issue(20));
        assertThat(needed(new HeaderCarrier("Weir-Route"), request)).isEqualTo(20);
    }

    @Test
    void aClientThatSendsManyCostsAFew() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setCookies(Collections.nCopies(500, new Cookie(NAME, "garbage")).toArray(Cookie[]::new));
        assertThat(needed(cookies, request)).isEqualTo(Lsn.NONE);
        assertThat(counters.invalid.sum()).isLessThan(10);
    }

    @Test
    void aRequestThatWritesTwiceGetsOneCookieAndKeepsTheOthers() throws Exception {
        response.addHeader("Set-Cookie", "theme=dark");
        filter(cookies).doFilter(new MockHttpServletRequest(), response, (request, answer) -> {
            session().wrote(100);
            answer.flushBuffer();
            response.setCommitted(false);
            session().wrote(200);
            answer.getWriter().write("done");
        });
        assertThat(response.getHeaders("Set-Cookie")).hasSize(2).contains("theme=dark");
        String token = Objects.requireNonNull(response.getCookie(NAME)).getValue();
        assertThat(TOKENS.read(token)).isEqualTo(new SessionTokens.Valid(200));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir-route-other", "Weir-Routes"})
    void aCookieOfALongerNameIsLeftAlone(String other) {
        response.addHeader("Set-Cookie", other + "=kept");
        cookies.write(new MockHttpServletRequest(), response, "one");
        cookies.write(new MockHttpServletRequest(), response, "two");
        assertThat(response.getHeaders("Set-Cookie")).hasSize(2).anyMatch(header -> header.equals(other + "=kept"));
        assertThat(Objects.requireNonNull(response.getCookie(NAME)).getValue()).isEqualTo("two");
    }

    private long needed(SessionCarrier carrier, MockHttpServletRequest request) throws Exception {
        var needed = new AtomicLong();
        filter(carrier)
                .doFilter(
                        request,
                        response,
                        (asked, answer) -> needed.set(session().neededLsn()));
        return needed.get();
    }

    private RouteSessionFilter filter(SessionCarrier carrier) {
        return new RouteSessionFilter(TOKENS, carrier, counters);
    }

    private static RouteSession session() {
        return Objects.requireNonNull(RouteSession.current());
    }

    private static SessionTokens tokens(String key) {
        return new SessionTokens(
                List.of(key.getBytes(StandardCharsets.UTF_8)), Duration.ofMinutes(5), InstantSource.system());
    }
}
