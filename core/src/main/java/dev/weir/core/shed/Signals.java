package dev.weir.core.shed;

/**
 * What the service knows beyond the requests' latencies, as numbers from outside.
 *
 * @param poolWaitMillis how long requests wait for a pooled connection, as a high percentile of the last second; 0 for
 *     not at all or not known
 * @param publisherFullness share of the publisher's buffer in use, 0 to 1
 * @param cpu share of the CPUs that this service may use in use, smoothed over some seconds, 0 to 1
 */
public record Signals(double poolWaitMillis, double publisherFullness, double cpu) {

    /** Nothing is known. */
    public static final Signals NONE = new Signals(0, 0, 0);

    public Signals {
        if (!(poolWaitMillis >= 0 && publisherFullness >= 0 && cpu >= 0)) {
            throw new IllegalArgumentException(
                    "Pool wait is %s ms, the publisher's fullness %s, CPU %s; none may be negative or not a number."
                            .formatted(poolWaitMillis, publisherFullness, cpu));
        }
    }
}
