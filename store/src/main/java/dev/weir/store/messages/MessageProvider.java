package dev.weir.store.messages;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import io.netty.handler.timeout.ReadTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.codec.CodecException;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException;
import reactor.netty.resources.ConnectionProvider;

/** The provider that messages are forwarded to; calls return at once and answer on the client's event loop. */
@Component
public class MessageProvider {

    private final WebClient client;
    private final Duration timeout;
    private final int maxConnections;

    MessageProvider(MessageProviderSettings settings) {
        var connections = ConnectionProvider.create("messages", settings.maxConnections());
        var http = HttpClient.create(connections).responseTimeout(settings.timeout());
        this.timeout = settings.timeout();
        this.maxConnections = settings.maxConnections();
        this.client = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(http))
                .baseUrl(settings.url().toString())
                .build();
    }

    /** Calls under way at once; more wait for a connection. */
    public int maxConnections() {
        return maxConnections;
    }

    /** Sends one message; fails with a {@link ProblemException} that says what the provider did. */
    Mono<Sent> send(Message message) {
        return send(client.post().uri("/messages"), message);
    }

    /**
     * Sends one message under a key, by which the provider can leave out a repetition.
     *
     * @param idempotencyKey visible ASCII characters
     */
    public Mono<Sent> send(Message message, String idempotencyKey) {
        return send(client.post().uri("/messages").header("Idempotency-Key", idempotencyKey), message);
    }

    /** The connector's own timeout begins anew with each part of an answer; this one does not. */
    private Mono<Sent> send(WebClient.RequestBodySpec request, Message message) {
        return request.bodyValue(message)
                .retrieve()
                .bodyToMono(Sent.class)
                .timeout(timeout)
                .filter(Sent::isComplete)
                .switchIfEmpty(Mono.error(() -> unusable(null)))
                .onErrorMap(CodecException.class, MessageProvider::unusable)
                .onErrorMap(DataBufferLimitException.class, MessageProvider::unusable)
                .onErrorMap(WebClientResponseException.class, MessageProvider::refused)
                .onErrorMap(WebClientRequestException.class, MessageProvider::notReached)
                .onErrorMap(TimeoutException.class, MessageProvider::late);
    }

    private static ProblemException refused(WebClientResponseException answer) {
        if (answer.getStatusCode().isSameCodeAs(HttpStatus.TOO_MANY_REQUESTS)) {
            return new ProblemException(
                            ProblemType.PROVIDER_BUSY,
                            "The message provider takes no more messages at present.",
                            answer)
                    .retryAfter(wait(answer.getHeaders()));
        }
        return new ProblemException(
                ProblemType.PROVIDER_FAILED,
                "The message provider answered " + answer.getStatusCode().value() + "; the message may be sent again.",
                answer);
    }

    private static ProblemException unusable(@Nullable Throwable cause) {
        return new ProblemException(
                ProblemType.PROVIDER_FAILED,
                "The message provider's answer does not say what became of the message; it may have been sent.",
                cause);
    }

    private static ProblemException notReached(WebClientRequestException failure) {
        return switch (failure.getCause()) {
            case ReadTimeoutException timeout -> late(timeout);
            case PoolAcquirePendingLimitException full ->
                new ProblemException(
                                ProblemType.OVERLOADED, "Too many messages are waiting for the message provider.", full)
                        .retryAfter(Duration.ofSeconds(1));
            case null, default ->
                new ProblemException(ProblemType.PROVIDER_FAILED, "The message provider cannot be reached.", failure);
        };
    }

    private static ProblemException late(Throwable timeout) {
        return new ProblemException(
                ProblemType.PROVIDER_TIMEOUT,
                "The message provider did not answer in time; the message may have been sent.",
                timeout);
    }

    private static Duration wait(HttpHeaders headers) {
        String seconds = headers.getFirst(HttpHeaders.RETRY_AFTER);
        return seconds != null && seconds.matches("\\d{1,4}")
                ? Duration.ofSeconds(Long.parseLong(seconds))
                : Duration.ofSeconds(1);
    }
}
