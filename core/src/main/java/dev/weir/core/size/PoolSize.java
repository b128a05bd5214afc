package dev.weir.core.size;

/** How many connections keep a database server busy. */
public final class PoolSize {

    private static final int CONNECTIONS_A_CORE = 2;

    private PoolSize() {}

    /**
     * Connections beyond which a server does no more work: cores x 2 + effective spindles (PostgreSQL's wiki, "Number Of
     * Database Connections", https://wiki.postgresql.org/wiki/Number_Of_Database_Connections). It is a start for all
     * clients of the server together; measure from there.
     *
     * @param cores of the database server, hyper-threads not counted, at least 1
     * @param effectiveSpindles disks that seek at the same time: 0 when all data is cached, 1 for an SSD as a start
     */
    public static int ofServer(int cores, int effectiveSpindles) {
        if (cores < 1 || effectiveSpindles < 0) {
            throw new IllegalArgumentException(
                    "%d cores and %d spindles were given; at least 1 core and 0 spindles are possible."
                            .formatted(cores, effectiveSpindles));
        }
        return Math.addExact(Math.multiplyExact(cores, CONNECTIONS_A_CORE), effectiveSpindles);
    }

    /**
     * Connections in use on average at this rate: rate x time held (Little's law: Little 1961,
     * https://doi.org/10.1287/opre.9.3.383). A pool needs more than that, for the spread.
     *
     * @param ratePerSecond transactions a second, 0 or more
     * @param heldSeconds how long each holds a connection on average, 0 or more
     */
    public static double inUse(double ratePerSecond, double heldSeconds) {
        if (!(ratePerSecond >= 0) || !(heldSeconds >= 0)) {
            throw new IllegalArgumentException("A rate of %s/s and a time of %s s were given; neither may be negative."
                    .formatted(ratePerSecond, heldSeconds));
        }
        return ratePerSecond * heldSeconds;
    }
}
