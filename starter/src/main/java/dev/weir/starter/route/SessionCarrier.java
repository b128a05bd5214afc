package dev.weir.starter.route;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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

    /** Hands a token over, before the response is committed. May be called again with a newer one. */
    void write(HttpServletRequest request, HttpServletResponse response, String token);
}
