package dev.weir.core.watch;

import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets one line of a fingerprint through in a period, and counts those it holds back. Bounded: fingerprints beyond the most share one.
 * Any thread may call it.
 */
final class LogPace {

    private static final String OTHERS = "others";

    private final long periodNanos;
    private final int most;
    private final ConcurrentHashMap<String, Gate> gates = new ConcurrentHashMap<>();

    LogPace(long periodNanos, int most) {
        this.periodNanos = periodNanos;
        this.most = most;
    }

    /** How many lines of this fingerprint were held back since the last one, where one may be written now. */
    OptionalLong tryPass(String fingerprint, long nowNanos) {
        Gate gate = gates.get(fingerprint);
        if (gate == null) {
            String key = gates.size() < most ? fingerprint : OTHERS;
            gate = gates.computeIfAbsent(key, fresh -> new Gate());
        }
        return gate.tryPass(nowNanos, periodNanos);
    }

    private static final class Gate {
        private boolean passed;
        private long lastNanos;
        private long heldBack;

        synchronized OptionalLong tryPass(long nowNanos, long periodNanos) {
            if (passed && nowNanos - lastNanos < periodNanos) {
                heldBack++;
                return OptionalLong.empty();
            }
            long before = heldBack;
            passed = true;
            lastNanos = nowNanos;
            heldBack = 0;
            return OptionalLong.of(before);
        }
    }
}
