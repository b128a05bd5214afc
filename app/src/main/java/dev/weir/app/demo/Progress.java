package dev.weir.app.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** One line for every step of the demo, with the seconds since its start. */
final class Progress {
    private final PrintWriter err;
    private final long startNanos = System.nanoTime();

    Progress(PrintWriter err) {
        this.err = err;
    }

    void says(String line) {
        err.printf(Locale.ROOT, "[%3d s] %s%n", seconds(), line);
        err.flush();
    }

    long seconds() {
        return (System.nanoTime() - startNanos) / 1_000_000_000;
    }
}
