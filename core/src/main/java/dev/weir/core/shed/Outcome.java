package dev.weir.core.shed;

import java.time.Duration;

/** What admission said. */
public sealed interface Outcome permits Permit, Outcome.Refused {

    /**
     * Not admitted; nothing is held and nothing has to be given back.
     *
     * @param reason why
     * @param retryAfter when to try again: from what is waiting here and how fast it is served, within the configured
     *     bounds, different for each caller and time
     */
    record Refused(RefusalReason reason, Duration retryAfter) implements Outcome {

        /** For the Retry-After header, which knows whole seconds only; at least 1. */
        public long retryAfterSeconds() {
            return Math.max(1, retryAfter.plusMillis(500).toSeconds());
        }
    }
}
