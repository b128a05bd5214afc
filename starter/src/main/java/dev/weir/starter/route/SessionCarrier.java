package dev.weir.starter.route;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries a session's token from one request to the next. A bean of this type replaces the cookie or header, for example by a
 * store by user id, which then also serves a user with several clients. Called on the request's
 * thread. Where it throws, the request goes on as one without a token, and it is logged once and counted.
 */
public interface SessionCarrier {

    /** The token of this request's session, if there is one. It is checked afterwards, so anything may come back. */
    @Nullable
    String read(HttpServletRequest request);

    /** All tokens of this request's session, where there may be several: the furthest valid one of the first few counts. */
    default List<String> readAll(HttpServletRequest request) {
        String token = read(request);
        return token == null ? List.of() : List.of(token);
    }

    /** Hands a token over, before the response is committed. Called again with a newer one, it takes the place of the first. */
    void write(HttpServletRequest request, HttpServletResponse response, String token);
}
