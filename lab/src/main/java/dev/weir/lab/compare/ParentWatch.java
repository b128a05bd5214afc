package dev.weir.lab.compare;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends a service whose Weir was killed with -9. No code of Weir runs then, so a small shell waits beside the service at a
 * pipe from Weir: a line tells it that the service has ended and nothing is to do, the pipe's end without a line that Weir
 * is gone. It then sends SIGTERM to the service and its descendants, and SIGKILL 5 s later to those left.
 *
 * <p>Where there is no {@code sh} there is no watch, and the shutdown hook alone must do. Descendants are found on Linux
 * only.
 */
final class ParentWatch implements AutoCloseable {
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            read -r line && exit 0
            tree() {
                echo "$1"
                for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
                    tree "$child"
                done
            }
            all=$(tree "$1")
            kill -TERM $all 2>/dev/null
            tries=0
            while [ $tries -lt 50 ] && kill -0 "$1" 2>/dev/null; do
                sleep 0.1
                tries=$((tries + 1))
            done
            kill -KILL $all 2>/dev/null
            """;

    private final OutputStream pipe;

    private ParentWatch(OutputStream pipe) {
        this.pipe = pipe;
    }

    /** Starts the watch over a process; it does not block. */
    static ParentWatch over(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, "weir-watch", Long.toString(pid))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new ParentWatch(shell.getOutputStream());
        } catch (IOException noShell) {
            return new ParentWatch(OutputStream.nullOutputStream());
        }
    }

    /** Ends the watch: the service is gone. Idempotent. */
    @Override
    public void close() {
        try (pipe) {
            pipe.write("ended\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException shellGone) {
            // It has nothing to watch any more, which is what was wanted.
        }
    }
}
