package dev.weir.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One running server of a stack, to be stopped, killed and started again by tests of failures. All methods may be called from any
 * thread; those that wait say how long.
 */
public final class Server {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int MAX_LOG_BYTES = 64 * 1024;

    private final ServerSpec spec;
    private final Runnable changed;
    private Guard guard;
    private boolean stoppedOnPurpose;

    private Server(ServerSpec spec, Runnable changed, Guard guard) {
        this.spec = spec;
        this.changed = changed;
        this.guard = guard;
    }

    static Server launch(ServerSpec spec, Runnable changed) {
        return new Server(spec, changed, launch(spec));
    }

    private static Guard launch(ServerSpec spec) {
        try {
            return Guard.launch(spec.command(), spec.executable(), spec.log(), spec.stopSignal(), spec.stopGrace());
        } catch (IOException e) {
            throw new StackException("%s cannot be started: %s.".formatted(spec.label(), e.getMessage()), e);
        }
    }

    /** Unique within the stack: {@code primary}, {@code standby-1}, {@code redis}, {@code kafka}. */
    public String name() {
        return spec.name();
    }

    /** For sentences, such as {@code PostgreSQL (standby 1)}. */
    public String label() {
        return spec.label();
    }

    /** The address it listens on, always the loopback one. */
    public String host() {
        return "127.0.0.1";
    }

    /** The port it listens on; stays the same when it is started again. */
    public int port() {
        return spec.port();
    }

    /** Number of the server's process. */
    public synchronized long pid() {
        return guard.server().pid();
    }

    /** Whether its process runs; says nothing about whether it answers. */
    public synchronized boolean isRunning() {
        return guard.isAlive();
    }

    /**
     * Stops it and waits for its end, 15 seconds at most. PostgreSQL stops at once, without a checkpoint, and recovers when it is
     * started again. Does nothing when it does not run.
     */
    public synchronized void stop() {
        stoppedOnPurpose = true;
        guard.stop();
    }

    /** Ends it as kill -9 does and waits until it is gone. Does nothing when it does not run. */
    public synchronized void kill() {
        stoppedOnPurpose = true;
        guard.kill();
    }

    /**
     * Starts it again on its port and with its data, and waits until it takes connections. Does nothing when it runs.
     *
     * @throws StackException when it does not start within this time
     */
    public void start(Duration timeout) {
        if (launchAgain()) {
            changed.run();
            awaitReady(System.nanoTime() + timeout.toNanos(), timeout);
        }
    }

    private synchronized boolean launchAgain() {
        if (guard.isAlive()) {
            return false;
        }
        try {
            Files.deleteIfExists(spec.log());
        } catch (IOException e) {
            throw new StackException("The log %s cannot be removed.".formatted(spec.log()), e);
        }
        guard = launch(spec);
        stoppedOnPurpose = false;
        return true;
    }

    synchronized ProcessId process() {
        return guard.server();
    }

    synchronized boolean endedByItself() {
        return !stoppedOnPurpose && !guard.isAlive();
    }

    synchronized void requestStop() {
        stoppedOnPurpose = true;
        guard.requestStop();
    }

    /**
     * Waits until it takes connections; throws with the reason when it ends before, or at {@code deadlineNanos}. Holds no lock, so
     * that it can be stopped meanwhile.
     */
    void awaitReady(long deadlineNanos, Duration timeout) {
        Guard starting = current();
        try {
            while (!spec.readiness().isReady(starting.server().pid())) {
                if (starting.awaitExit(POLL)) {
                    throw endedWhileStarting(starting.exitCode());
                }
                if (System.nanoTime() - deadlineNanos > 0) {
                    stop();
                    throw new ServerStartException(failure("was not ready within " + timeout.toSeconds() + " s"));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("The start of %s was interrupted.".formatted(spec.label()), e);
        }
    }

    private synchronized Guard current() {
        return guard;
    }

    private synchronized StackException endedWhileStarting(int exitCode) {
        return stoppedOnPurpose
                ? new StackException("%s was stopped while it was starting.".formatted(spec.label()))
                : new ServerStartException(failure("ended with exit code " + exitCode + " instead of starting"));
    }

    ServerFailure failure(String outcome) {
        return ServerFailure.of(spec, outcome, logTail(spec.log()));
    }

    /** The end of a log, empty when there is none. */
    static String logTail(Path log) {
        try {
            byte[] all = Files.readAllBytes(log);
            int from = Math.max(0, all.length - MAX_LOG_BYTES);
            return new String(all, from, all.length - from, StandardCharsets.UTF_8);
        } catch (IOException none) {
            return "";
        }
    }
}
