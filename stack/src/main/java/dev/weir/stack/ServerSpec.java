package dev.weir.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How one server is started and stopped.
 *
 * @param name unique within the stack, such as {@code standby-1}
 * @param label for sentences, such as {@code PostgreSQL (standby 1)}
 * @param port the port it listens on
 * @param portOption the option of the command line that fixes this port
 * @param command executable and arguments
 * @param executable the name that the process carries once it runs, such as {@code postgres}
 * @param folder its data
 * @param log where its output goes
 * @param stopSignal the signal that ends it, without SIG
 * @param stopGrace how long it may take before it is killed
 * @param readiness whether it takes connections now
 */
record ServerSpec(
        String name,
        String label,
        int port,
        String portOption,
        List<String> command,
        String executable,
        Path folder,
        Path log,
        String stopSignal,
        Duration stopGrace,
        Readiness readiness) {
    /** Asks once, without waiting, whether a server is ready. */
    @FunctionalInterface
    interface Readiness {
        boolean isReady(long pid);
    }
}
