package dev.weir.bench.store;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * CPU time by what it was spent for, of this process and all it has started. What a process used that has ended meanwhile is not seen.
 * Immutable.
 */
final class CpuUse {

    private static final double NANOS_PER_MICRO = 1e3;

    /** What a process is for. */
    enum Part {
        STORE("store"),
        POSTGRES("PostgreSQL"),
        KAFKA("Kafka"),
        LOAD("load and provider");

        private final String title;

        Part(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private final Map<Part, Long> nanos;

    private CpuUse(Map<Part, Long> nanos) {
        this.nanos = nanos;
    }

    /** Until now; every process that is neither this one, the store nor PostgreSQL is taken for Kafka. */
    static CpuUse now(long storePid) {
        Map<Part, Long> nanos = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            nanos.put(part, 0L);
        }
        ProcessHandle self = ProcessHandle.current();
        nanos.put(Part.LOAD, nanos(self));
        self.descendants().forEach(process -> nanos.merge(part(process, storePid), nanos(process), Long::sum));
        return new CpuUse(nanos);
    }

    private static Part part(ProcessHandle process, long storePid) {
        if (process.pid() == storePid) {
            return Part.STORE;
        }
        String command = process.info().command().orElse("");
        return command.endsWith("postgres") ? Part.POSTGRES : Part.KAFKA;
    }

    private static long nanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    /** What was used since. */
    CpuUse since(CpuUse before) {
        Map<Part, Long> used = new EnumMap<>(Part.class);
        nanos.forEach((part, now) -> used.put(part, now - before.of(part)));
        return new CpuUse(used);
    }

    private long of(Part part) {
        return nanos.getOrDefault(part, 0L);
    }

    /** Microseconds of one part for each of so many things done, without what other things took. */
    double micros(Part part, long things, double othersMicros) {
        return (of(part) / NANOS_PER_MICRO - othersMicros) / things;
    }
}
