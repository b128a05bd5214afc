package dev.weir.store.problems;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.MismatchedInputException;

/** Turns every exception of a handler into a problem; what is not foreseen is logged and answered without internals. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    /** One thing that is wrong with a request. */
    record Violation(String field, String message) {}

    @ExceptionHandler({PessimisticLockingFailureException.class, QueryTimeoutException.class})
    ResponseEntity<Object> databaseBusy(Exception e, WebRequest request) {
        log.warn("The database is busy: {}", e.getMessage());
        return answer(
                new ProblemException(ProblemType.DATABASE_BUSY, "A row stayed locked for too long: try again later.", e)
                        .retryAfter(Duration.ofSeconds(1)),
                request);
    }

    /** Without routing a connection that cannot be had fails the begin of a transaction, with it the first statement. */
    @ExceptionHandler({
        DataAccessResourceFailureException.class,
        TransientDataAccessResourceException.class,
        RecoverableDataAccessException.class,
        CannotCreateTransactionException.class,
        TransactionSystemException.class
    })
    ResponseEntity<Object> databaseUnavailable(Exception e, WebRequest request) {
        log.error("The database cannot be used: {}", e.getMessage());
        return answer(
                new ProblemException(
                                ProblemType.DATABASE_UNAVAILABLE, "The store has no connection to its database.", e)
                        .retryAfter(Duration.ofSeconds(5)),
                request);
    }

    @ExceptionHandler(RejectedExecutionException.class)
    ResponseEntity<Object> overloaded(RejectedExecutionException e, WebRequest request) {
        return answer(
                new ProblemException(ProblemType.OVERLOADED, "Too many requests are waiting for a thread.", e)
                        .retryAfter(Duration.ofSeconds(1)),
                request);
    }

    @ExceptionHandler(InvalidParameterException.class)
    ResponseEntity<Object> undecodable(InvalidParameterException e, WebRequest request) {
        return answer(
                new ProblemException(
                        ProblemType.VALIDATION_FAILED,
                        "The parameters cannot be decoded: percent-encode them as UTF-8.",
                        e),
                request);
    }

    @ExceptionHandler(Exception.class)
    @Nullable
    ResponseEntity<Object> unforeseen(Exception e, WebRequest request) {
        if (DisconnectedClientHelper.isClientDisconnectedException(e)) {
            return null;
        }
        log.error("Unforeseen failure of {}", request.getDescription(false), e);
        return answer(
                new ProblemException(
                        ProblemType.INTERNAL_ERROR,
                        "An unforeseen error happened; its cause stands in the store's log."),
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Violation> violations = e.getBindingResult().getAllErrors().stream()
                .map(error -> violation(error instanceof FieldError field ? field.getField() : "", error))
                .toList();
        return answer(invalid(violations), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Violation> violations = e.getParameterValidationResults().stream()
                .flatMap(ProblemAdvice::violations)
                .toList();
        return answer(invalid(violations), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
            MissingServletRequestParameterException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return answer(invalid(List.of(new Violation(e.getParameterName(), "is required"))), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return answer(new ProblemException(ProblemType.MALFORMED_BODY, unreadable(e.getCause()), e), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String name = e instanceof MethodArgumentTypeMismatchException argument ? argument.getName() : "a parameter";
        return answer(invalid(List.of(new Violation(name, "cannot be '" + e.getValue() + "'"))), request);
    }

    private static ProblemException invalid(List<Violation> found) {
        List<Violation> violations =
                found.stream().sorted(Comparator.comparing(Violation::field)).toList();
        String detail = violations.stream()
                .map(violation -> violation.field() + " " + violation.message())
                .reduce((one, other) -> one + "; " + other)
                .orElse("The request is not valid")
                .strip();
        return new ProblemException(ProblemType.VALIDATION_FAILED, detail + ".").with("errors", violations);
    }

    private static Stream<Violation> violations(ParameterValidationResult result) {
        if (result instanceof ParameterErrors errors) {
            return errors.getFieldErrors().stream().map(error -> violation(error.getField(), error));
        }
        String name = String.valueOf(result.getMethodParameter().getParameterName());
        return result.getResolvableErrors().stream().map(error -> violation(name, error));
    }

    private static Violation violation(String field, MessageSourceResolvable error) {
        return new Violation(field, String.valueOf(error.getDefaultMessage()));
    }

    /** Says where the body is wrong, never what class it was read into. */
    private static String unreadable(@Nullable Throwable cause) {
        return switch (cause) {
            case DatabindException mapping
            when !mapping.getPath().isEmpty() -> "The value of " + path(mapping) + " has the wrong type.";
            case InputCoercionException number
            when number.getLocation() != null ->
                "A number is out of range at line "
                        + number.getLocation().getLineNr() + ", column "
                        + number.getLocation().getColumnNr() + ".";
            case MismatchedInputException _ -> "The body must be a JSON object.";
            case JacksonException parsing
            when parsing.getLocation() != null ->
                "The body is not JSON: something is wrong at line "
                        + parsing.getLocation().getLineNr() + ", column "
                        + parsing.getLocation().getColumnNr() + ".";
            case null, default -> "The request needs a JSON body.";
        };
    }

    private static String path(DatabindException mapping) {
        var path = new StringBuilder();
        mapping.getPath().forEach(step -> {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        });
        return path.toString();
    }

    private ResponseEntity<Object> answer(ProblemException problem, WebRequest request) {
        ProblemDetail body = problem.getBody();
        ResponseEntity<Object> answer =
                handleExceptionInternal(problem, body, problem.getHeaders(), problem.getStatusCode(), request);
        return answer == null ? ResponseEntity.status(problem.getStatusCode()).build() : answer;
    }
}
