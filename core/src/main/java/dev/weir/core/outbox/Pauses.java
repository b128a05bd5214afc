package dev.weir.core.outbox;

import java.time.Duration;

/** Pauses after failures: doubled from the first to the longest, each drawn from its upper half. */
record Pauses(Duration first, Duration longest) {

    /** After so many failures, 1 or more; random from 0 to below 1. */
    Duration after(int failures, double random) {
        long full = first.toMillis();
        for (int i = 1; i < failures && full < longest.toMillis(); i++) {
            full *= 2;
        }
        full = Math.min(full, longest.toMillis());
        return Duration.ofMillis(full / 2 + Math.round(full / 2.0 * random));
    }
}
