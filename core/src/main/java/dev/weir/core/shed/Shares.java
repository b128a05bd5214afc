package dev.weir.core.shed;

/**
 * How the limit is divided. Within its share a priority is admitted while any place is free. Beyond it, it borrows what
 * others leave unused, but must leave some places free for their owners: trunk reservation, as in Kelly, "Loss Networks",
 * Annals of Applied Probability 1 (1991). Critical requests may take every place.
 *
 * @param normal share of the limit that is normal requests' own, 0 to 1
 * @param low share of the limit that is low requests' own; normal and low together at most 1
 * @param headroom share of the limit that low requests which borrow leave free, 0 to 0.5; normal ones leave half of it
 */
public record Shares(double normal, double low, double headroom) {

    private static final double MOST_HEADROOM = 0.5;

    public Shares {
        if (!(normal >= 0 && low >= 0 && normal + low <= 1)) {
            throw new IllegalArgumentException(
                    "The shares are %s (normal) and %s (low); each must be 0 or more and both together at most 1."
                            .formatted(normal, low));
        }
        if (!(headroom >= 0 && headroom <= MOST_HEADROOM)) {
            throw new IllegalArgumentException(
                    "The headroom is %s; it must lie between 0 and 0.5.".formatted(headroom));
        }
    }

    /** 80 % normal, 10 % low, 10 % headroom. */
    public static Shares defaults() {
        return new Shares(0.8, 0.1, 0.1);
    }

    /** The door of a priority at a limit. */
    Door door(Priority priority, int limit, double open) {
        int cutoff = (int) Math.round(open * Door.ALL_COHORTS);
        return switch (priority) {
            case CRITICAL -> new Door(limit, limit, limit, cutoff);
            case NORMAL ->
                new Door((int) (normal * limit), limit - (int) Math.round(headroom / 2 * limit), limit, cutoff);
            case LOW -> new Door((int) (low * limit), limit - places(headroom, limit), limit, cutoff);
        };
    }

    /** The share of the limit that is a priority's own. */
    double own(Priority priority) {
        return switch (priority) {
            case CRITICAL -> 1;
            case NORMAL -> normal;
            case LOW -> low;
        };
    }

    private static int places(double share, int limit) {
        return share == 0 ? 0 : Math.min(limit - 1, (int) Math.ceil(share * limit));
    }
}
