package dev.weir.core.shed;

/** Decides how many requests may be in flight; fed by one thread at a time. */
interface LimitRule {

    /** A fresh rule of a mode. */
    static LimitRule of(LimitMode mode) {
        return switch (mode) {
            case LimitMode.Fixed fixed -> new FixedLimit(fixed.limit());
            case LimitMode.Adaptive adaptive -> new AdaptiveLimit(adaptive);
        };
    }

    int limit();

    /**
     * Takes a window in.
     *
     * @param downstream 0 to 1, how much what comes after admission is at its end
     * @param strain 0 to 1, the same with the CPU
     * @return the limit from now on
     */
    int update(Window window, double downstream, double strain);
}
