package dev.weir.core.defer;

/**
 * Bounds of best effort, checked once.
 *
 * @param running tasks that run at once at most, 1 to 100,000
 * @param waiting tasks that wait for their turn at most, 0 to 10,000,000; what comes then is dropped
 */
public record BestEffortConfig(int running, int waiting) {

    public BestEffortConfig {
        require(running >= 1 && running <= 100_000, "running", running, "1 to 100,000");
        require(waiting >= 0 && waiting <= 10_000_000, "waiting", waiting, "0 to 10,000,000");
    }

    /** 64 at once, 10,000 waiting. */
    public static BestEffortConfig defaults() {
        return new BestEffortConfig(64, 10_000);
    }

    private static void require(boolean right, String setting, int given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException("Best effort: " + setting + " is " + given + "; allowed is " + allowed
                    + ". Change " + setting + ".");
        }
    }
}
