package dev.weir.starter.route;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** A cookie that scripts cannot read, sent over TLS alone where the request came so. */
final class CookieCarrier implements SessionCarrier {

    private final String name;
    private final Duration maxAge;

    CookieCarrier(String name, Duration maxAge) {
        this.name = name;
        this.maxAge = maxAge;
    }

    @Override
    public @Nullable String read(HttpServletRequest request) {
        List<String> all = readAll(request);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** Cookies of other paths or domains have the same name, and come in an order that says nothing. */
    @Override
    public List<String> readAll(HttpServletRequest request) {
        return Arrays.stream(Objects.requireNonNullElse(request.getCookies(), new Cookie[0]))
                .filter(cookie -> cookie.getName().equals(name))
                .map(Cookie::getValue)
                .toList();
    }

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, String token) {
        List<String> cookies = new ArrayList<>(response.getHeaders(HttpHeaders.SET_COOKIE));
        if (cookies.removeIf(cookie -> cookie.startsWith(name + "="))) {
            // Of two cookies of one name in a response a client may keep either.
            response.setHeader(HttpHeaders.SET_COOKIE, cookie(request, token));
            cookies.forEach(other -> response.addHeader(HttpHeaders.SET_COOKIE, other));
        } else {
            response.addHeader(HttpHeaders.SET_COOKIE, cookie(request, token));
        }
    }

    private String cookie(HttpServletRequest request, String token) {
        return ResponseCookie.from(name, token)
                .path("/")
                .maxAge(maxAge)
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite("Lax")
                .build()
                .toString();
    }
}
