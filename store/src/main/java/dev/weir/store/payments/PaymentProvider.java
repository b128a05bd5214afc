package dev.weir.store.payments;

import dev.weir.store.payments.ChargeOutcome.Busy;
import dev.weir.store.payments.ChargeOutcome.Charged;
import dev.weir.store.payments.ChargeOutcome.Declined;
import dev.weir.store.payments.ChargeOutcome.Unconfirmed;
import dev.weir.store.payments.ChargeOutcome.Unreachable;
import dev.weir.store.payments.ChargeOutcome.Withdrawn;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClient.RequestHeadersSpec;
import org.springframework.web.client.RestClient.RequestHeadersSpec.ConvertibleClientHttpResponse;
import org.springframework.web.client.RestClientException;

/** Asks the payment provider over HTTP; blocks the calling thread until it answers or the timeout passes. */
@Component
public class PaymentProvider {

    private static final Logger log = LoggerFactory.getLogger(PaymentProvider.class);

    private record ChargeRequest(long amountCents) {}

    private record ChargeAnswer(
            @Nullable String id, long amountCents, @Nullable String reason) {}

    private static final String KEY = "Idempotency-Key";

    private final RestClient client;
    private final Duration longestCall;

    PaymentProvider(PaymentSettings settings) {
        this.longestCall = settings.connectTimeout().plus(settings.timeout());
        // HTTP/1.1: version 2 would ask for an upgrade with the first call of every connection.
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.connectTimeout())
                .build();
        var requests = new JdkClientHttpRequestFactory(http);
        requests.setReadTimeout(settings.timeout());
        this.client = RestClient.builder()
                .requestFactory(requests)
                .baseUrl(settings.url().toString())
                .build();
    }

    /** After so long a call has ended, one way or another. */
    public Duration longestCall() {
        return longestCall;
    }

    /**
     * Charges once for a key, however often it is called with it.
     *
     * @param key printable ASCII
     */
    public ChargeOutcome charge(String key, long amountCents) {
        return ask(
                "charge",
                key,
                client.post()
                        .uri("/charges")
                        .header(KEY, key)
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(new ChargeRequest(amountCents)));
    }

    /**
     * Finds the charge of a key, or sees to it that there never is one: either it was charged or declined by now, or it is
     * withdrawn and a charge that is still on its way will be refused.
     */
    public ChargeOutcome withdraw(String key) {
        return ask("withdrawal", key, client.delete().uri("/charges").header(KEY, key));
    }

    private static ChargeOutcome ask(String what, String key, RequestHeadersSpec<?> request) {
        try {
            return request.exchange((sent, response) -> outcome(response));
        } catch (ResourceAccessException e) {
            log.warn("No answer to the {} with key {}: {}", what, key, e.getMessage());
            return outcome(e.getCause());
        } catch (RestClientException e) {
            log.warn("No usable answer to the {} with key {}: {}", what, key, e.getMessage());
            return new Unconfirmed(false);
        }
    }

    private static ChargeOutcome outcome(ConvertibleClientHttpResponse response) throws IOException {
        int status = response.getStatusCode().value();
        return switch (status) {
            case 200, 201 -> charged(response.bodyTo(ChargeAnswer.class));
            case 402 -> declined(response.bodyTo(ChargeAnswer.class));
            case 410 -> new Withdrawn();
            case 429 -> new Busy(wait(response.getHeaders()));
            default -> {
                log.warn("The payment provider answered {}", status);
                yield new Unconfirmed(false);
            }
        };
    }

    private static ChargeOutcome charged(@Nullable ChargeAnswer answer) {
        return answer == null || answer.id() == null
                ? new Unconfirmed(false)
                : new Charged(answer.id(), answer.amountCents());
    }

    private static ChargeOutcome declined(@Nullable ChargeAnswer answer) {
        return new Declined(answer == null || answer.reason() == null ? "no_reason" : answer.reason());
    }

    private static ChargeOutcome outcome(@Nullable Throwable failure) {
        return switch (failure) {
            case HttpConnectTimeoutException connect -> new Unreachable();
            case ConnectException connect -> new Unreachable();
            case HttpTimeoutException timeout -> new Unconfirmed(true);
            case null, default -> new Unconfirmed(false);
        };
    }

    private static Duration wait(HttpHeaders headers) {
        String seconds = headers.getFirst(HttpHeaders.RETRY_AFTER);
        return seconds != null && seconds.matches("\\d{1,4}")
                ? Duration.ofSeconds(Long.parseLong(seconds))
                : Duration.ofSeconds(1);
    }
}
