package dev.weir.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcReadersTest {
    @TempDir
    private Path root;

    @Test
    void describesThisMachine() {
        Machine machine = Machine.current();
        assertThat(machine.cpus()).isPositive();
        assertThat(machine.memoryBytes()).isGreaterThan(64L << 20);
        assertThat(machine.cpuModel()).isNotBlank();
        assertThat(machine.jdk()).contains(System.getProperty("java.runtime.version"));
    }

    @Test
    void sumsTheProcessesOfOneServiceAndListsTheirThreads() throws IOException {
        process(10, "nginx: master (x) y", 100, 50);
        process(11, "nginx: worker", 200, 25);
        assertThat(reader().read(List.of(10L, 11L, 12L))).hasValueSatisfying(reading -> {
            assertThat(reading.cpuNanos()).isEqualTo(3_750_000_000L);
            assertThat(reading.threads())
                    .containsEntry(11L, new ProcessReading.ThreadReading("worker", 2_000, 300))
                    .hasSize(2);
            assertThat(reading.maxOpenFiles()).isEqualTo(1024);
        });
    }

    @Test
    void countsTicksWhereTheKernelTellsNoWaitForACpu() throws IOException {
        process(10, "java", 100, 50);
        write("10/task/10/schedstat", "0 0 0\n");
        write("10/task/10/stat", "10 (worker) S 1 10 10 0 -1 4194304 0 0 0 0 3 2 0 0 20 0 1 0 1 1 1 1");
        assertThat(reader().read(List.of(10L)))
                .hasValueSatisfying(reading -> assertThat(reading.threads())
                        .containsEntry(10L, new ProcessReading.ThreadReading("worker", 50_000_000, -1)));
    }

    @Test
    void readsTheCpuTimeOfAllProcesses() throws IOException {
        process(10, "nginx", 100, 50);
        process(11, "java", 200, 25);
        assertThat(reader().cpuNanosOfAll()).isEqualTo(Map.of(10L, 1_500_000_000L, 11L, 2_250_000_000L));
    }

    @Test
    void seesNothingOfAProcessThatIsGoneOrAZombie() throws IOException {
        write("self/stat", "1");
        write("12/stat", "12 (java) Z 1 12 12 0 -1 4194304 0 0 0 0 5 5 0 0 20 0 1 0 1 1 1 1");
        assertThat(reader().read(List.of(12L, 13L))).isEmpty();
    }

    @Test
    void readsItsOwnProcess() {
        assertThat(ProcessReader.ofSystem().read(List.of(ProcessHandle.current().pid())))
                .hasValueSatisfying(reading -> assertThat(reading.cpuNanos()).isPositive());
        assertThat(ProcessReader.ofSystem().isJvm(ProcessHandle.current().pid()))
                .isTrue();
    }

    @Test
    void takesBusyAndStolenSharesBetweenTwoReadings() throws IOException {
        write("stat", "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 1\n");
        CpuTimes before = CpuTimes.read(new ProcFiles(root)).orElseThrow();
        write("stat", "cpu  150 0 110 820 10 0 0 10 50 0\ncpu0 1 1\n");
        CpuTimes after = CpuTimes.read(new ProcFiles(root)).orElseThrow();
        assertThat(after.busyShareSince(before))
                .hasValueSatisfying(share -> assertThat(share).isEqualTo(0.7, within(1e-9)));
        assertThat(after.stolenShareSince(before))
                .hasValueSatisfying(share -> assertThat(share).isEqualTo(0.1, within(1e-9)));
        assertThat(after.busyShareSince(after)).isEmpty();
    }

    @Test
    void findsTheTightestBoundOnThePathOfCgroupV2() throws IOException {
        write("10/cgroup", "0::/pod/app\n");
        mounts("30 20 0:30 / " + root.resolve("cg") + " rw - cgroup2 cgroup2 rw");
        write("cg/pod/cpu.max", "150000 100000");
        write("cg/pod/cpu.stat", "usage_usec 9\nnr_periods 10\nnr_throttled 4\nthrottled_usec 2500\n");
        write("cg/pod/app/cpu.max", "max 100000");
        write("cg/pod/app/memory.max", "1073741824");
        assertThat(cgroup()).isEqualTo(new Cgroup(1.5, 2_500_000, 1_073_741_824L));
    }

    @Test
    void readsCgroupV1WithItsHierarchies() throws IOException {
        write("10/cgroup", "4:memory:/app\n1:cpu,cpuacct:/app\n0::/\n");
        mounts("31 30 0:31 / " + root.resolve("cpu") + " rw - cgroup cgroup rw,cpu,cpuacct\n32 30 0:32 / "
                + root.resolve("memory") + " rw - cgroup cgroup rw,memory");
        write("cpu/app/cpu.cfs_quota_us", "30000");
        write("cpu/app/cpu.cfs_period_us", "100000");
        write("cpu/app/cpu.stat", "nr_periods 539\nnr_throttled 490\nthrottled_time 123456789\n");
        write("cpu/cpu.cfs_quota_us", "-1");
        write("cpu/cpu.cfs_period_us", "100000");
        write("memory/app/memory.limit_in_bytes", "9223372036854771712");
        assertThat(cgroup()).isEqualTo(new Cgroup(0.3, 123_456_789, null));
    }

    @Test
    void takesTheMountItselfWhereAContainerShowsOnlyItsOwnGroup() throws IOException {
        write("10/cgroup", "0::/../../outside\n");
        mounts("30 20 0:30 / " + root.resolve("cg") + " rw - cgroup2 cgroup2 rw");
        write("cg/cpu.max", "200000 100000");
        assertThat(cgroup()).isEqualTo(new Cgroup(2.0, 0, null));
    }

    private Cgroup cgroup() {
        return new CgroupReader(new ProcFiles(root)).read(10).orElseThrow();
    }

    private ProcessReader reader() {
        return new ProcessReader(new ProcFiles(root));
    }

    private void mounts(String lines) throws IOException {
        write("self/mountinfo", lines + "\n");
    }

    private void process(long pid, String name, long userTicks, long systemTicks) throws IOException {
        write("self/stat", "1");
        write(
                pid + "/stat",
                "%d (%s) S 1 10 10 0 -1 4194304 0 0 0 0 %d %d 0 0 20 0 1 0 1 1 1 1"
                        .formatted(pid, name, userTicks, systemTicks));
        write(pid + "/task/" + pid + "/schedstat", "2000 300 7\n");
        write(pid + "/task/" + pid + "/comm", "worker\n");
        write(pid + "/limits", "Limit   Soft Limit  Hard Limit  Units\nMax open files   1024   4096   files\n");
        Files.createDirectories(root.resolve(pid + "/fd"));
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
