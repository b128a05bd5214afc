package dev.weir.lab.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the control groups of a process, version 1 and version 2.
 *
 * <p>/proc/PID/cgroup names the group within each hierarchy and /proc/self/mountinfo where the hierarchy is mounted. A
 * bound may stand at any level, so the path is walked up to the mount. Where a container mounts only its own group, the
 * named path does not exist below the mount and the mount itself is the group.
 */
public final class CgroupReader {
    private final ProcFiles proc;

    CgroupReader(ProcFiles proc) {
        this.proc = proc;
    }

    /** A reader for this machine. */
    public static CgroupReader ofSystem() {
        return new CgroupReader(ProcFiles.system());
    }

    private record Quota(double cores, long throttledNanos) {}

    /** The bounds on the process now; empty where it is gone or the system has no control groups. */
    public Optional<Cgroup> read(long pid) {
        List<String> memberships = proc.lines(pid + "/cgroup");
        if (memberships.isEmpty()) {
            return Optional.empty();
        }
        Quota tightest = levels(memberships, "cpu")
                .map(CgroupReader::quota)
                .flatMap(Optional::stream)
                .reduce((a, b) -> b.cores() < a.cores() ? b : a)
                .orElse(null);
        Long memory = levels(memberships, "memory")
                .map(CgroupReader::memoryLimit)
                .flatMap(Optional::stream)
                .min(Long::compare)
                .orElse(null);
        return Optional.of(cgroup(tightest, memory));
    }

    private static Cgroup cgroup(@Nullable Quota quota, @Nullable Long memoryBytes) {
        return quota == null
                ? new Cgroup(null, 0, memoryBytes)
                : new Cgroup(quota.cores(), quota.throttledNanos(), memoryBytes);
    }

    /** The group's folders of a controller from the process's own up to the mount, in both versions' hierarchies. */
    private Stream<Path> levels(List<String> memberships, String controller) {
        return memberships.stream().flatMap(line -> {
            String[] fields = line.split(":", 3);
            boolean unified = fields[0].equals("0") && fields[1].isEmpty();
            return unified || List.of(fields[1].split(",", -1)).contains(controller)
                    ? mount(unified, controller)
                            .map(mount -> upwards(mount, fields[2]))
                            .orElse(Stream.of())
                    : Stream.of();
        });
    }

    private static Stream<Path> upwards(Path mount, String group) {
        Path own = mount.resolve(group.substring(1)).normalize();
        List<Path> levels = new ArrayList<>();
        for (Path level = own; level != null && level.startsWith(mount); level = level.getParent()) {
            levels.add(level);
        }
        return levels.isEmpty() ? Stream.of(mount) : levels.stream();
    }

    private Optional<Path> mount(boolean unified, String controller) {
        return proc.lines("self/mountinfo").stream()
                .map(line -> line.split(" - ", 2))
                .filter(halves -> halves.length == 2 && mounts(halves[1], unified, controller))
                .map(halves -> Path.of(halves[0].split(" ", -1)[4]))
                .findFirst();
    }

    private static boolean mounts(String typeAndOptions, boolean unified, String controller) {
        String[] fields = typeAndOptions.split(" ", -1);
        return unified
                ? fields[0].equals("cgroup2")
                : fields[0].equals("cgroup")
                        && List.of(fields[fields.length - 1].split(",", -1)).contains(controller);
    }

    private static Optional<Quota> quota(Path group) {
        return quotaV2(group).or(() -> quotaV1(group));
    }

    private static Optional<Quota> quotaV2(Path group) {
        return text(group.resolve("cpu.max"))
                .map(max -> max.split(" ", -1))
                .filter(max -> max.length == 2 && !max[0].equals("max"))
                .map(max -> new Quota(
                        Double.parseDouble(max[0]) / Double.parseDouble(max[1]),
                        counter(group.resolve("cpu.stat"), "throttled_usec ") * 1_000));
    }

    private static Optional<Quota> quotaV1(Path group) {
        Optional<Double> quota =
                text(group.resolve("cpu.cfs_quota_us")).map(Double::valueOf).filter(q -> q > 0);
        Optional<Double> period =
                text(group.resolve("cpu.cfs_period_us")).map(Double::valueOf).filter(p -> p > 0);
        return quota.flatMap(q ->
                period.map(p -> new Quota(q / p, counter(group.resolve("cpu.stat"), "throttled_time "))));
    }

    // Without a bound version 1 shows the largest page-aligned long and version 2 the word max.
    private static Optional<Long> memoryLimit(Path group) {
        return text(group.resolve("memory.max"))
                .or(() -> text(group.resolve("memory.limit_in_bytes")))
                .filter(limit -> !limit.equals("max"))
                .map(Long::valueOf)
                .filter(limit -> limit < Long.MAX_VALUE / 2);
    }

    private static long counter(Path file, String name) {
        return text(file).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(name))
                .map(line -> Long.valueOf(line.substring(name.length()).strip()))
                .findFirst()
                .orElse(0L);
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
