package dev.weir.starter.route;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
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
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(name)) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, String token) {
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                ResponseCookie.from(name, token)
                        .path("/")
                        .maxAge(maxAge)
                        .httpOnly(true)
                        .secure(request.isSecure())
                        .sameSite("Lax")
                        .build()
                        .toString());
    }
}
