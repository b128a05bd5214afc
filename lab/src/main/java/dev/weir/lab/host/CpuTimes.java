package dev.weir.lab.host;

import java.util.Optional;

/**
 * CPU time of the whole machine since its start, from the first line of /proc/stat, in clock ticks.
 *
 * @param total over all CPUs, idle included
 * @param busy spent by anything: neither idle nor waiting for a disk; stolen time included
 * @param stolen taken by the hypervisor for other machines
 */
public record CpuTimes(long total, long busy, long stolen) {
    private static final int USER = 0;
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    /** The machine's figures now; empty on a system without /proc. */
    public static Optional<CpuTimes> now() {
        return read(ProcFiles.system());
    }

    static Optional<CpuTimes> read(ProcFiles proc) {
        return proc.lines("stat").stream()
                .filter(line -> line.startsWith("cpu "))
                .findFirst()
                .map(CpuTimes::parse);
    }

    // Guest time, the columns after steal, is already part of user time.
    private static CpuTimes parse(String line) {
        String[] fields = line.substring("cpu ".length()).strip().split("\\s+", -1);
        long total = 0;
        for (int i = USER; i <= STEAL && i < fields.length; i++) {
            total += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT]);
        long stolen = fields.length > STEAL ? Long.parseLong(fields[STEAL]) : 0;
        return new CpuTimes(total, total - idle, stolen);
    }

    /** Share of all CPUs in use since the earlier reading, 0 to 1; empty where no tick passed between the two. */
    public Optional<Double> busyShareSince(CpuTimes earlier) {
        return share(busy - earlier.busy, earlier);
    }

    /** Share of all CPUs stolen by the hypervisor since the earlier reading, 0 to 1. */
    public Optional<Double> stolenShareSince(CpuTimes earlier) {
        return share(stolen - earlier.stolen, earlier);
    }

    private Optional<Double> share(long part, CpuTimes earlier) {
        long whole = total - earlier.total;
        return whole <= 0 ? Optional.empty() : Optional.of(Math.clamp((double) part / whole, 0, 1));
    }
}
