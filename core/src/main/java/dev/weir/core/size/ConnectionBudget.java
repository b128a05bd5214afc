package dev.weir.core.size;

/**
 * What a database server lets its clients have, and how many instances share it.
 *
 * @param maxConnections the server's max_connections
 * @param reserved those kept for administration and for other clients
 * @param instances of the service that connect to this server, at least 1
 */
public record ConnectionBudget(int maxConnections, int reserved, int instances) {

    public ConnectionBudget {
        if (instances < 1) {
            throw new IllegalArgumentException("%d instances were given; at least 1 is possible.".formatted(instances));
        }
        if (reserved < 0 || maxConnections <= reserved) {
            throw new IllegalArgumentException(
                    "max_connections is %d of which %d are reserved; something must be left for the service."
                            .formatted(maxConnections, reserved));
        }
    }

    /**
     * What each instance may open; 0 when there are more instances than connections. During a rolling update old and new
     * instances run side by side: count both.
     */
    public int perInstance() {
        return (maxConnections - reserved) / instances;
    }
}
