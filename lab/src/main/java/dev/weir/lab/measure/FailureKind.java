package dev.weir.lab.measure;

import java.util.Locale;

/** Why a request that was offered did not succeed. Every offered request that fails has exactly one kind. */
public enum FailureKind {
    /** The connection could not be made: refused, unreachable, or not made in time. */
    CONNECT,
    /** The TLS handshake failed. */
    TLS,
    /** No complete response within the time-out after the request was sent. */
    TIMEOUT,
    /** The service closed or reset the connection before the response was complete. */
    CLOSED,
    /** The bytes received are not a valid HTTP/1.1 response. */
    MALFORMED,
    /** The response's header or body exceeds the generator's limits. */
    TOO_LARGE,
    /** A complete response arrived, with a status outside 200 to 399. */
    STATUS,
    /** The run ended before the request was answered, or before a connection was free to send it. */
    UNFINISHED;

    /** The word used in text and JSON output, for example {@code too-large}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
