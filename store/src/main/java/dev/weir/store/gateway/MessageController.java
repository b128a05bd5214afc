package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import dev.weir.store.idempotency.IdempotencyKey;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import jakarta.validation.Valid;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/messages")
@ConditionalOnBooleanProperty("store.gateway.enabled")
class MessageController {

    private static final String REPLAYED = "Idempotency-Replayed";
    private static final Duration COMMIT_TIME = Duration.ofSeconds(15);

    private final Gateway gateway;
    private final Admission admission;
    private final MessageAnswers answers;
    private final InstantSource clock = InstantSource.system();

    MessageController(Gateway gateway) {
        this.gateway = gateway;
        GatewaySettings.Clients limits = gateway.settings().clients();
        this.admission = new Admission(
                new ClientQuotas(limits, NanoClock.system()),
                gateway.view(),
                gateway.settings().maxWait(),
                limits,
                () -> ThreadLocalRandom.current().nextLong());
        this.answers = new MessageAnswers(
                gateway.view(),
                gateway::sentPerSecond,
                () -> gateway.dispatcher().outlook().send(),
                clock);
    }

    @PostMapping
    ResponseEntity<MessageAnswer> accept(
            @RequestHeader(name = ClientName.HEADER, required = false) @Nullable String clientHeader,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String keyHeader,
            @RequestBody @Valid MessageRequest request) {
        String client = ClientName.of(clientHeader);
        NewMessage message = message(client, IdempotencyKey.of(keyHeader).orElse(null), request);
        admission.requireQuota(client);
        Optional<ProblemException> refusal = admission.refusal(client);
        if (refusal.isPresent()) {
            return unlessAcceptedBefore(message, refusal.get());
        }
        try {
            return answer(message, written(message, true));
        } finally {
            admission.settled(client);
        }
    }

    /** What was accepted once stays so, however long the queue is by now. */
    private ResponseEntity<MessageAnswer> unlessAcceptedBefore(NewMessage message, ProblemException refusal) {
        Acceptance before = message.key() == null ? new Acceptance.NotAdmitted() : written(message, false);
        if (before instanceof Acceptance.NotAdmitted) {
            throw refusal;
        }
        return answer(message, before);
    }

    private NewMessage message(String client, @Nullable IdempotencyKey key, MessageRequest request) {
        String to = requireText("to", Objects.requireNonNull(request.to()));
        String text = requireText("text", Objects.requireNonNull(request.text()));
        String url = request.callbackUrl();
        if (url != null) {
            gateway.origins().objection(url).ifPresent(objection -> {
                throw new ProblemException(ProblemType.VALIDATION_FAILED, "callbackUrl " + objection + ".");
            });
        }
        return new NewMessage(
                NewMessage.newId(clock.millis()), client, to, text, url, key == null ? null : key.value());
    }

    /** What no database takes and no provider can send. */
    private static String requireText(String field, String text) {
        boolean broken = text.indexOf('\0') >= 0
                || text.codePoints()
                        .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
        if (broken) {
            throw new ProblemException(
                    ProblemType.VALIDATION_FAILED,
                    field + " contains a NUL character or half of a surrogate pair: give valid Unicode text.");
        }
        return text;
    }

    private Acceptance written(NewMessage message, boolean admitted) {
        CompletableFuture<Acceptance> answer = gateway.acceptor().accept(message, admitted);
        if (answer == null) {
            throw new ProblemException(
                            ProblemType.OVERLOADED, "Too many messages wait to be written: hand it in again later.")
                    .retryAfter(Duration.ofSeconds(1));
        }
        try {
            return answer.get(COMMIT_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw inDoubt(ProblemType.DATABASE_BUSY, message, late);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw inDoubt(ProblemType.OVERLOADED, message, ended);
        }
    }

    /** A client that is told of a failure alone would hand it in anew, and have it sent twice. */
    private static ProblemException inDoubt(ProblemType type, NewMessage message, @Nullable Throwable cause) {
        return new ProblemException(
                        type,
                        "The message may be accepted or not: "
                                + (message.key() == null
                                        ? "it has no Idempotency-Key, so handing it in again may send it twice; with a key that would be safe."
                                        : "hand it in again with the same Idempotency-Key, which is safe, and it is sent once."),
                        cause)
                .retryAfter(Duration.ofSeconds(1));
    }

    private ResponseEntity<MessageAnswer> answer(NewMessage message, Acceptance acceptance) {
        return switch (acceptance) {
            case Acceptance.Queued queued -> {
                CallbackState callback = message.callbackUrl() == null ? null : CallbackState.WAITING;
                yield accepted(answers.accepted(message.client(), queued, callback), false);
            }
            case Acceptance.Replayed(StoredMessage earlier) -> accepted(answers.stored(earlier), true);
            case Acceptance.KeyReused _ ->
                throw new ProblemException(
                        ProblemType.IDEMPOTENCY_KEY_REUSED,
                        "This Idempotency-Key was used for a message with another body: use a new key for a new message.");
            case Acceptance.RecipientFull(int waiting, Duration expected) ->
                throw admission.recipientFull(message.client(), waiting, expected);
            case Acceptance.InDoubt _ -> throw inDoubt(ProblemType.DATABASE_UNAVAILABLE, message, null);
            case Acceptance.Stopping _ ->
                throw new ProblemException(
                                ProblemType.OVERLOADED,
                                "The store is being stopped and has not accepted the message: hand it in again.")
                        .retryAfter(Duration.ofSeconds(1));
            case Acceptance.NotAdmitted _ ->
                throw new IllegalStateException("A message that was admitted was answered as one that was not");
        };
    }

    private static ResponseEntity<MessageAnswer> accepted(MessageAnswer answer, boolean replayed) {
        var response = ResponseEntity.accepted().location(URI.create(answer.statusUrl()));
        if (replayed) {
            response.header(REPLAYED, "true");
        }
        return response.body(answer);
    }

    @GetMapping("/{id}")
    MessageAnswer message(
            @RequestHeader(name = ClientName.HEADER, required = false) @Nullable String clientHeader,
            @PathVariable UUID id) {
        return answers.stored(find(ClientName.of(clientHeader), id));
    }

    /** Takes a parked callback up again. */
    @PostMapping("/{id}/callback")
    ResponseEntity<MessageAnswer> callAgain(
            @RequestHeader(name = ClientName.HEADER, required = false) @Nullable String clientHeader,
            @PathVariable UUID id) {
        String client = ClientName.of(clientHeader);
        if (!gateway.callbackTable().unpark(id, client)) {
            find(client, id);
            throw new ProblemException(
                    ProblemType.CALLBACK_NOT_PARKED, "The callback of message " + id + " is not parked.");
        }
        gateway.callbacks().wake();
        return accepted(answers.stored(find(client, id)), false);
    }

    private StoredMessage find(String client, UUID id) {
        return gateway.table()
                .find(id)
                .filter(message -> message.client().equals(client))
                .orElseThrow(() -> new ProblemException(
                        ProblemType.MESSAGE_NOT_FOUND, "The client " + client + " has no message " + id + "."));
    }
}
