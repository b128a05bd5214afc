package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import jakarta.validation.Valid;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
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
    private static final double JITTER = 0.25;

    private final Gateway gateway;
    private final ClientQuotas quotas;
    private final InstantSource clock = InstantSource.system();

    MessageController(Gateway gateway) {
        this.gateway = gateway;
        this.quotas = new ClientQuotas(gateway.settings().clients(), NanoClock.system());
    }

    @PostMapping
    ResponseEntity<MessageAnswer> accept(
            @RequestHeader(name = ClientName.HEADER, required = false) @Nullable String clientHeader,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String keyHeader,
            @RequestBody @Valid MessageRequest request) {
        String client = ClientName.of(clientHeader);
        NewMessage message = message(client, MessageKey.of(keyHeader), request);
        requireQuota(client);
        requireRoom(client);
        try {
            return answer(client, written(message), message.callbackUrl() == null ? null : CallbackState.WAITING);
        } finally {
            gateway.view().settled(client);
        }
    }

    private NewMessage message(String client, @Nullable String key, MessageRequest request) {
        String to = requireText("to", Objects.requireNonNull(request.to()));
        String text = requireText("text", Objects.requireNonNull(request.text()));
        String url = request.callbackUrl();
        if (url != null) {
            gateway.origins().objection(url).ifPresent(objection -> {
                throw new ProblemException(ProblemType.VALIDATION_FAILED, "callbackUrl " + objection + ".");
            });
        }
        return new NewMessage(NewMessage.newId(clock.millis()), client, to, text, url, key);
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

    private void requireQuota(String client) {
        quotas.take(client).ifPresent(wait -> {
            GatewaySettings.Clients limits = gateway.settings().clients();
            throw new ProblemException(
                            ProblemType.CLIENT_OVER_LIMIT,
                            "The client " + client + " hands in more than " + limits.perSecond()
                                    + " messages a second: slow down.")
                    .retryAfter(wait);
        });
    }

    private void requireRoom(String client) {
        GatewaySettings settings = gateway.settings();
        switch (gateway.view()
                .admit(client, settings.maxWait(), settings.clients().maxQueued())) {
            case QueueView.Decision.Admitted _ -> {}
            case QueueView.Decision.TooLong(Wait wait) -> throw tooLong(client, wait.expected());
            case QueueView.Decision.TooMany(long waiting) ->
                throw new ProblemException(
                                ProblemType.CLIENT_OVER_LIMIT,
                                "Of the client " + client + " " + waiting + " messages wait already, at most "
                                        + settings.clients().maxQueued()
                                        + " may: hand in more when some have been sent.")
                        .retryAfter(Duration.ofSeconds(1));
        }
    }

    /** The queue has room again for one message when the wait has fallen to the bound; not for all who ask at the same moment. */
    private ProblemException tooLong(String client, Duration wait) {
        Duration bound = gateway.settings().maxWait();
        long overMillis = Math.max(0, wait.minus(bound).toMillis());
        long jitterMillis =
                (long) (ThreadLocalRandom.current().nextDouble() * JITTER * (overMillis + bound.toMillis() * JITTER));
        return new ProblemException(
                        ProblemType.QUEUE_TOO_LONG,
                        "The message would be sent in about " + wait.toSeconds()
                                + " s, and none is accepted that waits longer than " + bound.toSeconds()
                                + " s: hand it in again after the time in Retry-After.")
                .with("estimatedWaitMillis", wait.toMillis())
                .with("maxWaitMillis", bound.toMillis())
                .with("queueLength", gateway.view().waiting())
                .with("clientQueueLength", gateway.view().waiting(client))
                .retryAfter(Duration.ofMillis(overMillis + jitterMillis));
    }

    private Acceptor.Acceptance written(NewMessage message) {
        CompletableFuture<Acceptor.Acceptance> answer = gateway.acceptor().accept(message);
        if (answer == null) {
            throw new ProblemException(
                            ProblemType.OVERLOADED, "Too many messages wait to be written: hand it in again later.")
                    .retryAfter(Duration.ofSeconds(1));
        }
        try {
            return answer.get(COMMIT_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new ProblemException(
                            ProblemType.DATABASE_BUSY,
                            "The message is not on disk yet and may still be accepted: send it again with the same"
                                    + " Idempotency-Key, so that it is sent once.",
                            late)
                    .retryAfter(Duration.ofSeconds(1));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The store is being stopped", ended);
        }
    }

    private ResponseEntity<MessageAnswer> answer(
            String client, Acceptor.Acceptance acceptance, @Nullable CallbackState callback) {
        return switch (acceptance) {
            case Acceptor.Acceptance.Queued queued -> {
                Duration lane = gateway.dispatcher().sendTime().multipliedBy(queued.before() + 1L);
                yield accepted(
                        queued(client, queued.id(), queued.number(), queued.acceptedAt(), lane, callback), false);
            }
            case Acceptor.Acceptance.Replayed(StoredMessage message) -> accepted(stored(message), true);
            case Acceptor.Acceptance.KeyReused _ ->
                throw new ProblemException(
                        ProblemType.IDEMPOTENCY_KEY_REUSED,
                        "This Idempotency-Key was used for a message with another body: use a new key for a new message.");
            case Acceptor.Acceptance.RecipientFull(int waiting, Duration expected) -> {
                var problem = tooLong(client, expected);
                problem.getBody()
                        .setDetail(waiting
                                + " messages wait for this recipient, which gets one at a time; the next would be sent in about "
                                + expected.toSeconds() + " s, and none is accepted that waits longer than "
                                + gateway.settings().maxWait().toSeconds() + " s.");
                throw problem.with("recipientQueueLength", waiting);
            }
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
        return stored(find(ClientName.of(clientHeader), id));
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
        return accepted(stored(find(client, id)), false);
    }

    private StoredMessage find(String client, UUID id) {
        return gateway.table()
                .find(id)
                .filter(message -> message.client().equals(client))
                .orElseThrow(() -> new ProblemException(
                        ProblemType.MESSAGE_NOT_FOUND, "The client " + client + " has no message " + id + "."));
    }

    private MessageAnswer stored(StoredMessage message) {
        if (message.status() == MessageStatus.QUEUED) {
            return queued(
                    message.client(),
                    message.id(),
                    message.number(),
                    message.acceptedAt(),
                    Duration.ZERO,
                    message.callback());
        }
        return new MessageAnswer(
                message.id(),
                message.status(),
                url(message.id()),
                message.acceptedAt(),
                null,
                null,
                null,
                message.endedAt(),
                message.providerId(),
                message.reason(),
                message.callback());
    }

    private MessageAnswer queued(
            String client,
            UUID id,
            long number,
            Instant acceptedAt,
            Duration atLeast,
            @Nullable CallbackState callback) {
        Wait wait = gateway.view().waitOf(client, number).atLeast(atLeast);
        var estimate = new MessageAnswer.Estimate(
                wait.expected().toMillis(),
                wait.latest().toMillis(),
                clock.instant().plus(wait.expected()),
                Math.rint(gateway.sentPerSecond() * 10) / 10,
                gateway.view().standstill().toMillis());
        return new MessageAnswer(
                id,
                MessageStatus.QUEUED,
                url(id),
                acceptedAt,
                gateway.view().waiting(),
                gateway.view().waiting(client),
                estimate,
                null,
                null,
                null,
                callback);
    }

    private static String url(UUID id) {
        return "/api/messages/" + id;
    }
}
