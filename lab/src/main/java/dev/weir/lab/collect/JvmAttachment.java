package dev.weir.lab.collect;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import dev.weir.lab.host.ProcessReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Attaches to a running JVM of this machine, within a bounded time.
 *
 * <p>Attaching begins with SIGQUIT, which a JVM answers by opening a socket and on which other programs shut down, so
 * nothing but a process that surely is a JVM is ever attached to.
 */
final class JvmAttachment {
    private final ProcessReader processes;
    private final Duration timeout;

    JvmAttachment(ProcessReader processes, Duration timeout) {
        this.processes = processes;
        this.timeout = timeout;
    }

    /** Attaches to the first JVM among the processes. Blocks up to the timeout. */
    JvmAccess attach(List<Long> pids) {
        return pids.stream()
                .filter(this::isJvm)
                .findFirst()
                .map(this::attach)
                .orElseGet(() -> new JvmAccess.Refused(notJvm(pids)));
    }

    private boolean isJvm(long pid) {
        return processes.isJvm(pid) || isListed(pid);
    }

    // Only JVMs of the same user that write performance data are listed; on macOS it is all there is.
    private static boolean isListed(long pid) {
        String id = Long.toString(pid);
        return VirtualMachine.list().stream().map(VirtualMachineDescriptor::id).anyMatch(id::equals);
    }

    private String notJvm(List<Long> pids) {
        String process = "Process " + pids.getFirst();
        return processes.showsMappings(pids.getFirst())
                ? process + " is not a HotSpot JVM: only its CPU is seen, not its threads and pools."
                : process + " may not be looked into by this user: run weir as the service's user or as root to see "
                        + "its threads and pools.";
    }

    private JvmAccess attach(long pid) {
        CompletableFuture<JvmConnection> attempt = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("weir-attach").start(() -> complete(attempt, pid));
        try {
            return new JvmAccess.Attached(attempt.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            return new JvmAccess.Refused(refused(pid, String.valueOf(e.getCause())));
        } catch (TimeoutException e) {
            abandon(attempt);
            return new JvmAccess.Refused(refused(pid, "it did not answer within " + timeout.toSeconds() + " s"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon(attempt);
            return new JvmAccess.Refused(refused(pid, "interrupted"));
        }
    }

    // An attempt that ends after it was given up closes its connection itself: it then cannot complete any more.
    private static void abandon(CompletableFuture<JvmConnection> attempt) {
        if (!attempt.cancel(false) && attempt.state() == Future.State.SUCCESS) {
            attempt.resultNow().close();
        }
    }

    private static String refused(long pid, String why) {
        return "The JVM " + pid + " could not be attached to (" + why + "), so only its CPU is seen, not its threads "
                + "and pools: run weir as the user and in the container the service runs in, and start the service "
                + "without -XX:+DisableAttachMechanism.";
    }

    private static void complete(CompletableFuture<JvmConnection> attempt, long pid) {
        try {
            JvmConnection connection = JvmConnection.open(startAgent(pid));
            if (!attempt.complete(connection)) {
                connection.close();
            }
        } catch (IOException | AttachNotSupportedException | RuntimeException e) {
            attempt.completeExceptionally(e);
        }
    }

    /** Starts the JVM's own management agent, reachable from this machine only, and answers its address. */
    private static String startAgent(long pid) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            return machine.startLocalManagementAgent();
        } finally {
            machine.detach();
        }
    }
}
