package dev.weir.lab.size;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a service is to be sized for. Checked when made.
 *
 * @param ratePerSecond requests per second over all instances
 * @param latency mean time a worker thread is taken by one request
 * @param cores processors of one instance
 * @param instances instances that share the rate evenly
 * @param headroom factor by which threads and connections exceed what the mean needs, 1 or more
 * @param reuseInterval mean time between two requests of one client's connection
 * @param cpuPerRequest CPU time of one request; null where unknown
 * @param database null where the service has none
 */
public record SizingInputs(
        double ratePerSecond,
        Duration latency,
        int cores,
        int instances,
        double headroom,
        Duration reuseInterval,
        @Nullable Duration cpuPerRequest,
        @Nullable Database database) {

    /**
     * The database behind the service.
     *
     * @param hold mean time one request holds a connection
     * @param cores processors of one database server
     * @param spindles disks of one database server that work at the same time; 1 for an SSD
     * @param replicas servers that take the reads; 0 where the primary takes all
     * @param readShare share of the requests that only read, 0 to 1; counts with replicas only
     * @param maxConnections connections one server allows
     */
    public record Database(Duration hold, int cores, int spindles, int replicas, double readShare, int maxConnections) {

        public Database {
            require(positive(hold), "the time a request holds a database connection must be above 0");
            require(cores >= 1, "a database server has 1 core or more");
            require(spindles >= 0, "the number of spindles is " + spindles + "; it must be 0 or more");
            require(replicas >= 0, "the number of replicas is " + replicas + "; it must be 0 or more");
            require(readShare >= 0 && readShare <= 1, "the share of reads is " + readShare + "; it must be 0 to 1");
            require(maxConnections >= 1, "a database server allows 1 connection or more");
        }
    }

    public SizingInputs {
        require(ratePerSecond > 0 && Double.isFinite(ratePerSecond), "the rate must be above 0");
        require(positive(latency), "the latency must be above 0");
        require(cores >= 1, "cores must be 1 or more");
        require(instances >= 1, "instances must be 1 or more");
        require(headroom >= 1 && headroom <= 100, "the headroom is " + headroom + "; it must be 1 to 100");
        require(positive(reuseInterval), "the reuse interval must be above 0");
        require(cpuPerRequest == null || positive(cpuPerRequest), "the CPU time of a request must be above 0");
    }

    /** The rate of one instance. */
    double ratePerInstance() {
        return ratePerSecond / instances;
    }

    private static boolean positive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
