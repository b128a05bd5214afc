package dev.weir.lab.host;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine and JVM a figure was measured on.
 *
 * @param cpuModel as the system names it; {@code unknown} where it does not
 * @param cpus processors available to this process
 * @param memoryBytes physical memory, or the cgroup's bound where that is lower
 * @param os name and version
 * @param jdk vendor and version of the JVM running Weir
 */
public record Machine(String cpuModel, int cpus, long memoryBytes, String os, String jdk) {

    /** The machine this process runs on, its cgroup's bounds (v1 and v2) applied. Reads a few small files. */
    public static Machine current() {
        return new Machine(
                readCpuModel(ProcFiles.system()),
                Runtime.getRuntime().availableProcessors(),
                readMemoryBytes(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
    }

    static String readCpuModel(ProcFiles proc) {
        return proc.lines("cpuinfo").stream()
                .filter(line -> Stream.of("model name", "Hardware", "Model").anyMatch(line::startsWith))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .filter(model -> !model.isEmpty())
                .findFirst()
                .or(Machine::readCpuModelBySysctl)
                .orElse("unknown");
    }

    private static Optional<String> readCpuModelBySysctl() {
        return System.getProperty("os.name").startsWith("Mac")
                ? Command.firstLine("sysctl", "-n", "machdep.cpu.brand_string")
                : Optional.empty();
    }

    private static long readMemoryBytes() {
        long physical =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return CgroupReader.ofSystem()
                .read(ProcessHandle.current().pid())
                .flatMap(cgroup -> Optional.ofNullable(cgroup.memoryLimitBytes()))
                .map(limit -> Math.min(limit, physical))
                .orElse(physical);
    }
}
