package dev.weir.lab.compare;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A service that Weir started. It ends with {@link #close}, when Weir ends in an orderly way or by SIGINT or SIGTERM
 * (shutdown hook), and where there is a shell also when Weir is killed with -9 ({@link ParentWatch}).
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
    private static final Duration KILL_WITHIN = Duration.ofSeconds(5);
    private static final long PROBE_EVERY_MILLIS = 50;
    private static final int LOG_LINES = 12;
    private static final int LOG_BYTES = 64 * 1024;

    private final ServiceStart start;
    private final Process process;
    private final ParentWatch watch;
    private final Thread hook;
    private final Duration stopWithin;

    private ServiceProcess(ServiceStart start, Process process, Duration stopWithin) {
        this.start = start;
        this.process = process;
        this.stopWithin = stopWithin;
        this.watch = ParentWatch.over(process.pid());
        this.hook = new Thread(this::stop, "stop " + start.name());
    }

    /**
     * Starts the service and waits until it is ready. Blocks up to the start's ready time-out.
     *
     * @throws ServiceFailure if it cannot be started, ends by itself or is not ready in time; nothing is left running
     * @throws InterruptedException if the calling thread is interrupted; nothing is left running
     */
    public static ServiceProcess start(ServiceStart start) throws ServiceFailure, InterruptedException {
        return start(start, STOP_WITHIN);
    }

    static ServiceProcess start(ServiceStart start, Duration stopWithin) throws ServiceFailure, InterruptedException {
        refuseWhatAlreadyAnswers(start);
        ServiceProcess service = new ServiceProcess(start, launch(start), stopWithin);
        boolean ready = false;
        try {
            Runtime.getRuntime().addShutdownHook(service.hook);
            service.awaitReady();
            ready = true;
            return service;
        } catch (IllegalStateException shuttingDown) {
            throw new ServiceFailure(start.name() + " was not started: Weir is ending", shuttingDown);
        } finally {
            if (!ready) {
                service.close();
            }
        }
    }

    /** Another process at the same address would be taken for this one, and measured in its place. */
    private static void refuseWhatAlreadyAnswers(ServiceStart start) throws ServiceFailure, InterruptedException {
        URI url = start.readyUrl();
        int usual = "https".equals(url.getScheme()) ? 443 : 80;
        String port = url.getHost() + ":" + (url.getPort() < 0 ? usual : url.getPort());
        try (ReadyProbe probe = new ReadyProbe(URI.create("tcp://" + port))) {
            if (probe.whyNotReady().isEmpty()) {
                throw new ServiceFailure(start.name() + " was not started: another process already listens at " + port
                        + "; stop it, or give another port ({port} takes a free one)");
            }
        }
    }

    private static Process launch(ServiceStart start) throws ServiceFailure {
        ProcessBuilder builder = new ProcessBuilder(start.command())
                .directory(start.workingDirectory().toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(start.environment());
        try {
            Files.createDirectories(start.logFile().toAbsolutePath().getParent());
            builder.redirectOutput(start.logFile().toFile());
            Process process = builder.start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new ServiceFailure(
                    start.name() + " cannot be started in " + start.workingDirectory() + ": " + e.getMessage(), e);
        }
    }

    private void awaitReady() throws ServiceFailure, InterruptedException {
        long deadline = System.nanoTime() + start.readyTimeout().toNanos();
        try (ReadyProbe probe = new ReadyProbe(start.readyUrl())) {
            String why = probe.whyNotReady();
            while (!why.isEmpty() || !process.isAlive()) {
                if (process.waitFor(PROBE_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new ServiceFailure(start.name() + " ended by itself with exit code " + process.exitValue()
                            + " before it was ready" + lastLines());
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new ServiceFailure(start.name() + " was not ready after "
                            + start.readyTimeout().toMillis() / 1e3 + " s: " + start.readyUrl() + " answered " + why
                            + " at last" + lastLines());
                }
                why = probe.whyNotReady();
            }
        }
    }

    private String lastLines() {
        String end = endOf(start.logFile());
        List<String> lines = end.lines().toList();
        if (lines.isEmpty()) {
            return "; it printed nothing (" + start.logFile() + ")";
        }
        List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
        return "; the end of its log, " + start.logFile().getFileName() + ":\n  " + String.join("\n  ", last);
    }

    /** A log may be large: only its end is read. What is no UTF-8 is replaced. */
    private static String endOf(Path log) {
        try (SeekableByteChannel file = Files.newByteChannel(log)) {
            file.position(Math.max(0, file.size() - LOG_BYTES));
            ByteBuffer end = ByteBuffer.allocate(LOG_BYTES);
            while (end.hasRemaining() && file.read(end) >= 0) {
                // reads on to the end, or until full
            }
            return StandardCharsets.UTF_8.decode(end.flip()).toString();
        } catch (IOException unreadable) {
            return "";
        }
    }

    /** The process id of the command; a script's service is among its descendants. */
    public long pid() {
        return process.pid();
    }

    /** Whether the command still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * CPU time spent so far by the command and its living descendants, user and system; empty where the system does not
     * tell. In steps of the system's clock tick, 10 ms on Linux. From any thread; costs some reads of /proc there.
     */
    public Optional<Duration> cpuTime() {
        List<Duration> times = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .flatMap(handle -> handle.info().totalCpuDuration().stream())
                .toList();
        return times.stream().reduce(Duration::plus);
    }

    /**
     * Stops the service and its descendants: SIGTERM, SIGKILL after 10 s. Blocks until they are gone, at most 15 s.
     * Idempotent.
     */
    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook runs or ran: stopping twice is harmless.
        }
    }

    private synchronized void stop() {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroy);
        if (!ended(all, stopWithin)) {
            all.forEach(ProcessHandle::destroyForcibly);
            ended(all, KILL_WITHIN);
        }
        watch.close();
    }

    private static boolean ended(List<ProcessHandle> all, Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        return all.stream().allMatch(handle -> ended(handle, deadline - System.nanoTime()));
    }

    private static boolean ended(ProcessHandle handle, long withinNanos) {
        try {
            handle.onExit().get(Math.max(0, withinNanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !handle.isAlive();
        } catch (ExecutionException | TimeoutException e) {
            return !handle.isAlive();
        }
    }
}
