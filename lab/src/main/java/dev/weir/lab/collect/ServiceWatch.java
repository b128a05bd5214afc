package dev.weir.lab.collect;

import dev.weir.lab.host.CgroupReader;
import dev.weir.lab.host.ProcessReader;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final List<Long> pids;
    private final ProcessReader processes = ProcessReader.ofSystem();
    private final CgroupReader cgroups = CgroupReader.ofSystem();
    private @Nullable ProcSnapshot begun;

    private ServiceWatch(List<Long> pids) {
        this.pids = pids;
    }

    /**
     * Starts to watch the processes. Attaches to the first JVM among them, which may take some seconds.
     *
     * @param pids at least one
     * @param listening where they listen, for the queue of connections not yet accepted
     */
    public static ServiceWatch open(List<Long> pids, InetSocketAddress listening) {
        return new ServiceWatch(List.copyOf(pids));
    }

    /** The JVM's name and version; empty where none could be attached to. */
    public Optional<String> jvm() {
        return Optional.empty();
    }

    /** What cannot be seen in the whole watch and how to make it visible, each as a sentence. */
    public List<String> missing() {
        return List.of();
    }

    /** Begins a window; one that was begun before is dropped. */
    public void begin() {
        begun = ProcSnapshot.take(pids, processes, cgroups);
    }

    /** Ends the window and says what was seen in it. */
    public ServiceSample end() {
        ProcSnapshot begin = begun;
        if (begin == null) {
            throw new IllegalStateException("end() without begin()");
        }
        begun = null;
        ProcSnapshot end = ProcSnapshot.take(pids, processes, cgroups);
        return sample(new ProcDifference(begin, end, Runtime.getRuntime().availableProcessors()));
    }

    private ServiceSample sample(ProcDifference proc) {
        List<String> missing = new ArrayList<>(missing());
        if (!proc.alive()) {
            missing.add("The service's process ended during the step.");
        }
        return new ServiceSample(
                proc.window(),
                proc.cpuCores(),
                proc.machineCpuShare(),
                proc.runDelayShare(),
                null,
                null,
                proc.threads(),
                Map.of(),
                Map.of(),
                proc.cpuThrottledShare(),
                proc.cpuLimitCores(),
                proc.busiestThread(),
                null,
                proc.stolenShare(),
                null,
                proc.openFilesShare(),
                Map.of(),
                missing);
    }

    @Override
    public void close() {
        begun = null;
    }
}
