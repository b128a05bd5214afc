package dev.weir.stack;

/**
 * Fixed ports of a stack; 0 means that a free one is chosen.
 *
 * @param postgres port of the primary
 * @param firstStandby port of the first standby; the next standby takes the next port, and so on
 * @param redis port of Redis
 * @param kafka port of the Kafka broker
 */
public record PortPlan(int postgres, int firstStandby, int redis, int kafka) {
    private static final int MAX_PORT = 65_535;

    /** Checks every port. */
    public PortPlan {
        requirePort("PostgreSQL", postgres);
        requirePort("the first standby", firstStandby);
        requirePort("Redis", redis);
        requirePort("Kafka", kafka);
    }

    /** Free ports for all servers. */
    public static PortPlan free() {
        return new PortPlan(0, 0, 0, 0);
    }

    int standby(int index) {
        return firstStandby == 0 ? 0 : firstStandby + index;
    }

    void requireRoomFor(int standbys) {
        if (standbys > 0 && standby(standbys - 1) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "From port %d on there is no room for %d standbys; the highest port is %d."
                            .formatted(firstStandby, standbys, MAX_PORT));
        }
    }

    private static void requirePort(String server, int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("Port %d for %s is not possible; give 1 to %d, or 0 for a free one."
                    .formatted(port, server, MAX_PORT));
        }
    }
}
