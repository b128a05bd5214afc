package dev.weir.store.problems;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** Ends a request with a problem; thrown inside a transaction it rolls back. */
public final class ProblemException extends ErrorResponseException {

    /**
     * Answers the problem's own status.
     *
     * @param detail a sentence for the caller: what was given, what is allowed, what to do; no internals
     */
    public ProblemException(ProblemType type, String detail) {
        this(type, detail, null);
    }

    /** The same with what went wrong, for the log only. */
    public ProblemException(ProblemType type, String detail, @Nullable Throwable cause) {
        super(type.status(), body(type, detail), cause);
    }

    /** Adds a member of its own to the problem. */
    public ProblemException with(String member, Object value) {
        getBody().setProperty(member, value);
        return this;
    }

    /** Tells the caller when to come again, in whole seconds, at least 1. */
    public ProblemException retryAfter(Duration wait) {
        getHeaders()
                .set(
                        HttpHeaders.RETRY_AFTER,
                        Long.toString(Math.max(1, wait.plusMillis(999).toSeconds())));
        return this;
    }

    static ProblemDetail body(ProblemType type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(type.status(), detail);
        problem.setType(type.uri());
        problem.setTitle(type.title());
        return problem;
    }
}
