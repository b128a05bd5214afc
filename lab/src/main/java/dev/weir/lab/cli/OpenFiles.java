package dev.weir.lab.cli;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The connections that the limit of open files leaves room for. */
final class OpenFiles {
    /** Files the JVM needs besides its connections. */
    private static final int OTHER_FILES = 64;

    /** The most connections this process may have; {@link Long#MAX_VALUE} where that is unknown. */
    static long mostConnections() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount() - OTHER_FILES
                : Long.MAX_VALUE;
    }

    /**
     * Refuses what the limit does not allow.
     *
     * @throws UserException if it does not
     */
    static void check(long connections) {
        long most = mostConnections();
        if (connections > most) {
            throw new UserException(
                    ExitCode.ENVIRONMENT,
                    connections + " connections need more open files than the " + (most + OTHER_FILES)
                            + " this process may have: raise the limit (ulimit -n) or lower -c");
        }
    }

    private OpenFiles() {}
}
