package dev.weir.stack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One server process that cannot outlive this JVM.
 *
 * <p>Between the JVM and the server stands a small shell, the guard. It starts the server and reads its own standard input, a pipe
 * whose other end only this JVM holds. The pipe ends when it is closed here, and also when the JVM dies of any cause, kill -9
 * included; then the guard sends the server its stop signal, waits for the grace period and kills what is left. So an orderly stop
 * and a sudden death take the same path. The guard leaves with the server's exit code, which is how its end is noticed here. Guard
 * and server run in a session of their own (where setsid exists), so that Ctrl-C in a terminal reaches only the JVM, which then
 * decides.
 *
 * <p>A guard that is itself killed leaves its server behind; {@link #stop} and the next start then stop it by its recorded number.
 */
final class Guard {
    private static final String SCRIPT = """
            signal=$1; grace=$2; log=$3; shift 3
            exec 3<&0 </dev/null
            "$@" 3<&- >>"$log" 2>&1 &
            server=$!
            echo "$server"
            exec >/dev/null
            {
              while read -r line; do :; done
              kill -s "$signal" "$server"
              tries=$((grace * 10))
              while [ "$tries" -gt 0 ] && kill -0 "$server"; do sleep 0.1; tries=$((tries - 1)); done
              kill -s KILL "$server"
            } <&3 2>/dev/null &
            watcher=$!
            exec 3<&-
            wait "$server"
            code=$?
            kill "$watcher" 2>/dev/null
            exit "$code"
            """;
    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));
    private static final Duration KILL_TIME = Duration.ofSeconds(5);

    private final Process guard;
    private final ProcessId server;
    private final Duration grace;

    private Guard(Process guard, ProcessId server, Duration grace) {
        this.guard = guard;
        this.server = server;
        this.grace = grace;
    }

    /** Starts {@code command} with its output appended to {@code log}. Returns at once. */
    static Guard launch(List<String> command, String executable, Path log, String stopSignal, Duration grace)
            throws IOException {
        List<String> line = new ArrayList<>(ownSession());
        line.addAll(List.of(
                "/bin/sh", "-c", SCRIPT, "weir-guard", stopSignal, Long.toString(grace.toSeconds()), log.toString()));
        line.addAll(command);
        Process guard = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new Guard(guard, readServer(guard, executable), grace);
    }

    /** {@code setsid} as the start of a command line, or nothing where the system has none. */
    static List<String> ownSession() {
        return SETSID.stream()
                .filter(Files::isExecutable)
                .limit(1)
                .map(Path::toString)
                .toList();
    }

    private static ProcessId readServer(Process guard, String executable) throws IOException {
        try (BufferedReader reader = guard.inputReader()) {
            String line = reader.readLine();
            if (line == null) {
                throw new IOException("the shell /bin/sh did not start it");
            }
            long pid = Long.parseLong(line);
            return ProcessHandle.of(pid)
                    .map(ProcessId::of)
                    .orElse(new ProcessId(pid, 0, ""))
                    .running(executable);
        }
    }

    ProcessId server() {
        return server;
    }

    boolean isAlive() {
        return guard.isAlive();
    }

    /** The server's exit code, 128 + n when signal n ended it; only after it has ended. */
    int exitCode() {
        return guard.exitValue();
    }

    /** Whether the server ended within this time. */
    boolean awaitExit(Duration time) throws InterruptedException {
        return guard.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Asks the server to stop; returns at once. */
    void requestStop() {
        try (OutputStream pipe = guard.getOutputStream()) {
            pipe.flush();
        } catch (IOException alreadyGone) {
            // The guard has ended and closed its side: there is nothing to ask.
        }
    }

    /** Stops the server and waits for its end, for the grace period and a little more at most. */
    void stop() {
        requestStop();
        boolean interrupted = false;
        try {
            awaitExit(grace.plus(KILL_TIME));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        server.alive().ifPresent(ProcessHandle::destroyForcibly);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the server at once, as kill -9 does. */
    void kill() {
        server.alive().ifPresent(ProcessHandle::destroyForcibly);
        stop();
    }
}
