package dev.weir.store.gateway;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import dev.weir.store.text.StoredText;
import java.time.Duration;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/** What the provider did with one message. */
sealed interface ProviderAnswer {

    /** It has it. */
    record Taken(String id) implements ProviderAnswer {

        public Taken {
            id = StoredText.of(id);
        }
    }

    /** It takes no more at present. */
    record Busy(Duration retryAfter) implements ProviderAnswer {}

    /** It will not take this message, whatever is tried. */
    record Refused(String reason) implements ProviderAnswer {

        public Refused {
            reason = StoredText.of(reason);
        }
    }

    /** It failed, did not answer or cannot be reached; it may have the message. */
    record Trouble(String reason) implements ProviderAnswer {

        public Trouble {
            reason = StoredText.of(reason);
        }
    }

    /** Statuses that are about the message and not about the provider. */
    Set<Integer> FINAL = Set.of(400, 402, 410, 413, 422);

    /** What a failed call means. */
    static ProviderAnswer of(Throwable failure) {
        if (!(failure instanceof ProblemException problem)) {
            return new Trouble(failure.toString());
        }
        if (ProblemType.PROVIDER_BUSY.uri().equals(problem.getBody().getType())) {
            return new Busy(retryAfter(problem));
        }
        String detail = String.valueOf(problem.getBody().getDetail());
        return problem.getCause() instanceof WebClientResponseException answer
                        && FINAL.contains(answer.getStatusCode().value())
                ? new Refused("The provider answered " + answer.getStatusCode().value())
                : new Trouble(detail);
    }

    private static Duration retryAfter(ProblemException problem) {
        String seconds = problem.getHeaders().getFirst(HttpHeaders.RETRY_AFTER);
        return Duration.ofSeconds(seconds == null ? 1 : Long.parseLong(seconds));
    }
}
