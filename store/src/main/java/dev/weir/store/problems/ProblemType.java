package dev.weir.store.problems;

import java.net.URI;
import org.springframework.http.HttpStatus;

/** Every problem that is the store's own; what HTTP alone explains (404, 405, 406, 415) has the type about:blank. */
public enum ProblemType {
    VALIDATION_FAILED(HttpStatus.BAD_REQUEST, "validation-failed", "The request is not valid"),
    MALFORMED_BODY(HttpStatus.BAD_REQUEST, "malformed-body", "The body cannot be read"),
    IDEMPOTENCY_KEY_MALFORMED(
            HttpStatus.BAD_REQUEST, "idempotency-key-malformed", "The Idempotency-Key cannot be used"),
    PAYMENT_DECLINED(HttpStatus.PAYMENT_REQUIRED, "payment-declined", "The payment was declined"),
    PRODUCT_NOT_FOUND(HttpStatus.NOT_FOUND, "product-not-found", "No such product"),
    ORDER_NOT_FOUND(HttpStatus.NOT_FOUND, "order-not-found", "No such order"),
    MESSAGE_NOT_FOUND(HttpStatus.NOT_FOUND, "message-not-found", "No such message"),
    OUT_OF_STOCK(HttpStatus.CONFLICT, "out-of-stock", "Not enough in stock"),
    REQUEST_IN_PROGRESS(HttpStatus.CONFLICT, "request-in-progress", "The first request with this key still runs"),
    PAYMENT_MISMATCH(HttpStatus.CONFLICT, "payment-mismatch", "This key was charged for another amount"),
    IDEMPOTENCY_KEY_REUSED(
            HttpStatus.UNPROCESSABLE_CONTENT, "idempotency-key-reused", "This key belongs to another request"),
    CALLBACK_NOT_PARKED(HttpStatus.CONFLICT, "callback-not-parked", "The callback is not parked"),
    QUEUE_TOO_LONG(HttpStatus.TOO_MANY_REQUESTS, "queue-too-long", "The message would wait for too long"),
    CLIENT_OVER_LIMIT(HttpStatus.TOO_MANY_REQUESTS, "client-over-limit", "The client is over its limit"),
    INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "internal-error", "The store failed"),
    PROVIDER_FAILED(HttpStatus.BAD_GATEWAY, "provider-failed", "A provider failed"),
    PROVIDER_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "provider-busy", "A provider takes no more at present"),
    DATABASE_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "database-busy", "The database is busy"),
    DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "database-unavailable", "The database cannot be reached"),
    OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "The store takes no more at present"),
    PROVIDER_TIMEOUT(HttpStatus.GATEWAY_TIMEOUT, "provider-timeout", "A provider did not answer in time");

    private static final String PREFIX = "urn:weir:store:problem:";

    private final HttpStatus status;
    private final String name;
    private final String title;

    ProblemType(HttpStatus status, String name, String title) {
        this.status = status;
        this.name = name;
        this.title = title;
    }

    /** The status every problem of this type is answered with. */
    public HttpStatus status() {
        return status;
    }

    /** What the member {@code type} holds; stays the same over releases. */
    public URI uri() {
        return URI.create(PREFIX + name);
    }

    String title() {
        return title;
    }
}
