package dev.weir.lab.host;

import java.util.Map;

/**
 * CPU figures of one or several processes taken together, counted since each began.
 *
 * @param cpuNanos user and kernel time of all threads, ended ones included; in steps of 10 ms
 * @param threads live threads by thread id
 * @param openFiles open file descriptors of the process that has most; -1 where not told
 * @param maxOpenFiles the bound on that number; -1 where not told or unbounded
 */
public record ProcessReading(long cpuNanos, Map<Long, ThreadReading> threads, long openFiles, long maxOpenFiles) {

    /**
     * One thread, since it began.
     *
     * @param name as the system shows it, at most 15 characters
     * @param cpuNanos time on a CPU
     * @param runDelayNanos time it was runnable and waited for a CPU; -1 where the system does not tell
     */
    public record ThreadReading(String name, long cpuNanos, long runDelayNanos) {}

    public ProcessReading {
        threads = Map.copyOf(threads);
    }
}
