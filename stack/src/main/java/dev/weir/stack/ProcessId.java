package dev.weir.stack;

import java.time.Instant;
import java.util.Optional;

/**
 * A process that is recognised again: systems give the number of an ended process to a new one, so its start time and the name of
 * its executable belong to it.
 *
 * @param pid number of the process
 * @param startMillis when it started, in milliseconds since 1970; 0 when the system does not tell
 * @param executable file name of what it runs, such as {@code postgres}; empty when unknown
 */
record ProcessId(long pid, long startMillis, String executable) {
    /** Start times are counted from the start of the machine, and that instant shifts when the clock is set. */
    private static final long TOLERANCE_MILLIS = 2_000;

    static ProcessId of(ProcessHandle process) {
        return new ProcessId(
                process.pid(),
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L),
                process.info().command().map(ProcessId::fileName).orElse(""));
    }

    ProcessId running(String name) {
        return new ProcessId(pid, startMillis, name);
    }

    /** The process when it still runs. */
    Optional<ProcessHandle> alive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(process -> isSameAs(of(process)));
    }

    /** Whether the process seen now under this number is the one recorded here. */
    boolean isSameAs(ProcessId seen) {
        return pid == seen.pid
                && (startMillis == 0
                        || seen.startMillis == 0
                        || Math.abs(startMillis - seen.startMillis) <= TOLERANCE_MILLIS)
                && (executable.isEmpty() || seen.executable.isEmpty() || executable.equals(seen.executable));
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
