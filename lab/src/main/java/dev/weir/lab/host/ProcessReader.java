package dev.weir.lab.host;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the figures of a set of processes that together are one service, such as a master and its workers. Not
 * expensive: a few small files for each process and two for each thread.
 */
public final class ProcessReader {
    /** USER_HZ, the unit of /proc/PID/stat; 100 on every Linux architecture Java runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    /** Fields of /proc/PID/stat counted from the state, the first one after the name. */
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;

    private final ProcFiles proc;

    ProcessReader(ProcFiles proc) {
        this.proc = proc;
    }

    /** A reader for this machine. */
    public static ProcessReader ofSystem() {
        return new ProcessReader(ProcFiles.system());
    }

    private record Files(long open, long max) {}

    /** The figures of those that live, summed; empty where none does or the system does not tell. */
    public Optional<ProcessReading> read(List<Long> pids) {
        List<Long> cpuNanos =
                pids.stream().map(this::cpuNanos).flatMap(Optional::stream).toList();
        if (cpuNanos.isEmpty()) {
            return Optional.empty();
        }
        Map<Long, ProcessReading.ThreadReading> threads = new HashMap<>();
        pids.forEach(pid -> addThreads(pid, threads));
        Files files = pids.stream()
                .map(this::files)
                .max(Comparator.comparingLong(Files::open))
                .orElseGet(() -> new Files(-1, -1));
        return Optional.of(new ProcessReading(
                cpuNanos.stream().mapToLong(Long::longValue).sum(), threads, files.open(), files.max()));
    }

    private Optional<Long> cpuNanos(long pid) {
        return proc.exists("self/stat")
                ? proc.text(pid + "/stat").flatMap(ProcessReader::cpuNanos)
                : ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .map(Duration::toNanos);
    }

    // The name stands in parentheses and may hold spaces and parentheses itself: fields count from the last one.
    static Optional<Long> cpuNanos(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length <= SYSTEM_TIME || isZombie(fields[0])
                ? Optional.empty()
                : Optional.of(
                        (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) * NANOS_PER_TICK);
    }

    private static boolean isZombie(String state) {
        return state.equals("Z") || state.equals("X");
    }

    private void addThreads(long pid, Map<Long, ProcessReading.ThreadReading> threads) {
        for (long tid : proc.numbers(pid + "/task")) {
            thread(pid + "/task/" + tid).ifPresent(reading -> threads.put(tid, reading));
        }
    }

    // A kernel built without CONFIG_SCHED_INFO has no schedstat, or only zeros in it: then the ticks count.
    private Optional<ProcessReading.ThreadReading> thread(String task) {
        String name = proc.text(task + "/comm").orElse("?").strip();
        String[] schedstat = proc.text(task + "/schedstat").orElse("").strip().split(" ", -1);
        if (schedstat.length >= 3 && !schedstat[2].equals("0")) {
            return Optional.of(
                    new ProcessReading.ThreadReading(name, Long.parseLong(schedstat[0]), Long.parseLong(schedstat[1])));
        }
        return proc.text(task + "/stat")
                .flatMap(ProcessReader::cpuNanos)
                .map(cpuNanos -> new ProcessReading.ThreadReading(name, cpuNanos, -1));
    }

    /** CPU time of every process of the machine in nanoseconds, in steps of 10 ms; empty on a system without /proc. */
    public Map<Long, Long> cpuNanosOfAll() {
        Map<Long, Long> all = new HashMap<>();
        for (long pid : proc.numbers(".")) {
            proc.text(pid + "/stat").flatMap(ProcessReader::cpuNanos).ifPresent(nanos -> all.put(pid, nanos));
        }
        return all;
    }

    private Files files(long pid) {
        String fds = pid + "/fd";
        if (!proc.readable(fds)) {
            return new Files(-1, -1);
        }
        return new Files(proc.numbers(fds).size(), maxOpenFiles(pid));
    }

    private long maxOpenFiles(long pid) {
        return proc.lines(pid + "/limits").stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.substring("Max open files".length()).strip().split("\\s+", -1)[0])
                .filter(limit -> limit.chars().allMatch(Character::isDigit))
                .map(Long::valueOf)
                .findFirst()
                .orElse(-1L);
    }

    /** Whether the process is a HotSpot JVM: it has libjvm mapped. False where this user may not look. */
    public boolean isJvm(long pid) {
        return proc.lines(pid + "/maps").stream().anyMatch(line -> line.endsWith("/libjvm.so"));
    }

    /** Whether the system shows what a process has mapped; where it does not, {@link #isJvm} cannot tell. */
    public boolean showsMappings(long pid) {
        return !proc.lines(pid + "/maps").isEmpty();
    }
}
