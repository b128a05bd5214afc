package dev.weir.lab.collect;

import dev.weir.lab.collect.ServiceSample.OtherProcess;
import dev.weir.lab.host.CgroupReader;
import dev.weir.lab.host.ListeningProcess;
import dev.weir.lab.host.ProcessName;
import dev.weir.lab.host.ProcessReader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the processes of a service while it is under load. Open it before the load: attaching to a JVM fails when the
 * JVM is starved. What the system tells (/proc, control groups) is seen of every process; threads, pools and collections
 * only of a JVM that could be attached to.
 *
 * <p>Not safe for use by several threads at once. Every call returns within seconds, also when the service hangs or dies
 * while it is watched; what could then not be seen is named in {@link ServiceSample#missing()}.
 */
public final class ServiceWatch implements AutoCloseable {
    private static final int OTHERS = 3;
    private static final Duration ATTACH_TIMEOUT = Duration.ofSeconds(10);

    private final List<Long> pids;
    private final ProcessReader processes;
    private final CgroupReader cgroups = CgroupReader.ofSystem();
    private final AcceptQueue acceptQueue;
    private final @Nullable JvmSampler sampler;
    private final @Nullable String jvm;
    private final List<String> missing;
    private @Nullable ProcSnapshot begun;

    private ServiceWatch(List<Long> pids, InetSocketAddress listening, ProcessReader processes, JvmAccess access) {
        this.pids = pids;
        this.processes = processes;
        this.acceptQueue = new AcceptQueue(ListeningProcess.onThisMachine(), listening);
        switch (access) {
            case JvmAccess.Attached(JvmConnection connection) -> {
                sampler = new JvmSampler(connection, new Random());
                jvm = connection.jvm();
                missing = List.of();
            }
            case JvmAccess.Refused(String reason) -> {
                sampler = null;
                jvm = null;
                missing = List.of(reason);
            }
        }
    }

    /**
     * Starts to watch the processes. Attaches to the first JVM among them, which takes up to 10 seconds.
     *
     * @param pids at least one
     * @param listening where they listen, for the queue of connections not yet accepted
     */
    public static ServiceWatch open(List<Long> pids, InetSocketAddress listening) {
        return open(pids, listening, ATTACH_TIMEOUT);
    }

    static ServiceWatch open(List<Long> pids, InetSocketAddress listening, Duration attachTimeout) {
        if (pids.isEmpty()) {
            throw new IllegalArgumentException("Give at least one process id to watch");
        }
        ProcessReader processes = ProcessReader.ofSystem();
        return new ServiceWatch(
                List.copyOf(pids), listening, processes, new JvmAttachment(processes, attachTimeout).attach(pids));
    }

    /** The JVM's name and version; empty where none could be attached to. */
    public Optional<String> jvm() {
        return Optional.ofNullable(jvm);
    }

    /** What cannot be seen in the whole watch and how to make it visible, each as a sentence. */
    public List<String> missing() {
        return missing;
    }

    /** Begins a window; one that was begun before is dropped. */
    public void begin() {
        begun = ProcSnapshot.take(pids, processes, cgroups);
        acceptQueue.begin();
        if (sampler != null) {
            sampler.begin();
        }
    }

    /** Ends the window and says what was seen in it. Waits up to 3 seconds for a JVM that is slow to answer. */
    public ServiceSample end() {
        ProcSnapshot begin = begun;
        if (begin == null) {
            throw new IllegalStateException("end() without begin()");
        }
        begun = null;
        ProcDifference proc = new ProcDifference(
                begin,
                ProcSnapshot.take(pids, processes, cgroups),
                Runtime.getRuntime().availableProcessors());
        Double waiting = acceptQueue.end();
        Optional<JvmWindow.Seen> seen = sampler == null ? Optional.empty() : sampler.end();
        return sample(proc, waiting, seen);
    }

    private ServiceSample sample(ProcDifference proc, @Nullable Double acceptQueueMean, Optional<JvmWindow.Seen> seen) {
        return new ServiceSample(
                proc.window(),
                proc.cpuCores(),
                proc.machineCpuShare(),
                proc.runDelayShare(),
                seen.map(JvmWindow.Seen::gcShare).orElse(null),
                seen.map(JvmWindow.Seen::compileShare).orElse(null),
                proc.threads(),
                seen.map(JvmWindow.Seen::workers).orElse(Map.of()),
                seen.map(JvmWindow.Seen::connections).orElse(Map.of()),
                proc.cpuThrottledShare(),
                proc.cpuLimitCores(),
                proc.busiestThread(),
                seen.flatMap(JvmWindow.Seen::virtualThreads).orElse(null),
                proc.stolenShare(),
                acceptQueueMean,
                proc.openFilesShare(),
                seen.map(JvmWindow.Seen::hotFrames).orElse(Map.of()),
                busiestOthers(proc),
                missing(proc, seen));
    }

    private List<OtherProcess> busiestOthers(ProcDifference proc) {
        Set<Long> own = new HashSet<>(pids);
        own.add(ProcessHandle.current().pid());
        return proc.busiestProcesses(OTHERS, own).stream()
                .map(use -> new OtherProcess(use.pid(), ProcessName.of(use.pid()), use.cores()))
                .toList();
    }

    private List<String> missing(ProcDifference proc, Optional<JvmWindow.Seen> seen) {
        List<String> all = new ArrayList<>(missing);
        seen.ifPresent(window -> all.addAll(window.missing()));
        if (!proc.alive()) {
            all.add("The service's process ended during the step.");
        } else if (sampler != null && seen.isEmpty()) {
            all.add("The JVM did not answer its management interface during the step, as a JVM without CPU or memory "
                    + "does: its threads and pools were not seen.");
        }
        return all;
    }

    @Override
    public void close() {
        begun = null;
        acceptQueue.close();
        if (sampler != null) {
            sampler.close();
        }
    }
}
