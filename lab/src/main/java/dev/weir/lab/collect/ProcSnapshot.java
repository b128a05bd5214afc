package dev.weir.lab.collect;

import dev.weir.lab.host.Cgroup;
import dev.weir.lab.host.CgroupReader;
import dev.weir.lab.host.CpuTimes;
import dev.weir.lab.host.ProcessReader;
import dev.weir.lab.host.ProcessReading;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the system tells of the service's processes at one instant.
 *
 * @param atNanos on the clock of {@link System#nanoTime()}
 * @param process empty where no process lives any more, or the system does not tell
 * @param cpuNanosOfAll CPU time of every process of the machine by id; empty where the system does not tell
 */
record ProcSnapshot(
        long atNanos,
        Optional<ProcessReading> process,
        Optional<CpuTimes> machine,
        Optional<Cgroup> cgroup,
        Map<Long, Long> cpuNanosOfAll) {

    ProcSnapshot {
        cpuNanosOfAll = Map.copyOf(cpuNanosOfAll);
    }

    /** Takes one now. The control group is that of the first process. */
    static ProcSnapshot take(List<Long> pids, ProcessReader processes, CgroupReader cgroups) {
        return new ProcSnapshot(
                System.nanoTime(),
                processes.read(pids),
                CpuTimes.now(),
                cgroups.read(pids.getFirst()),
                processes.cpuNanosOfAll());
    }
}
