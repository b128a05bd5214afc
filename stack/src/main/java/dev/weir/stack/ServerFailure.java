package dev.weir.stack;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a server did not start, read from the end of its log: one sentence for the user.
 *
 * @param kind the class of the failure
 * @param sentence what happened and what to do
 */
record ServerFailure(Kind kind, String sentence) {
    /** The failures that have a sentence of their own. */
    enum Kind {
        PORT_TAKEN,
        DISK_FULL,
        MISSING_LIBRARY,
        WRONG_PLATFORM,
        NO_USER_NAMESPACE,
        SHARED_MEMORY,
        BAD_SETTING,
        TOO_SLOW,
        OTHER
    }

    private static final Pattern LIBRARY =
            Pattern.compile("error while loading shared libraries: ([^:\\s]+)|Library not loaded: (\\S+)");
    private static final Pattern LIBC = Pattern.compile("version [`'](GLIBC\\w*_[0-9.]+)' not found");
    private static final Pattern SETTING = Pattern.compile(
            "(unrecognized configuration parameter .*|invalid value for parameter .*|parameter .* requires .*|"
                    + ".* is outside the valid range for parameter .*)");
    private static final int MAX_QUOTE = 300;

    /** The failure of a server that ended by itself with {@code exitCode}, or was stopped because it was not ready in time. */
    static ServerFailure of(ServerSpec spec, String outcome, String log) {
        String server = spec.label();
        if (log.contains("Address already in use") || log.contains("Failed listening on port")) {
            return new ServerFailure(Kind.PORT_TAKEN, portTaken(server, spec.port(), spec.portOption()));
        }
        if (log.contains("No space left on device") && !log.contains("shared memory")) {
            return new ServerFailure(
                    Kind.DISK_FULL,
                    "%s found the disk full below %s: free some space, or set %s to a folder on another disk."
                            .formatted(server, spec.folder(), CacheFolder.VARIABLE));
        }
        if (log.contains("shared memory") && (log.contains("No space left") || log.contains("Cannot allocate"))) {
            return new ServerFailure(
                    Kind.SHARED_MEMORY,
                    "%s got no shared memory from the system: make /dev/shm larger, or lower shared_buffers."
                            .formatted(server));
        }
        return library(server, log)
                .orElseGet(() -> platform(server, log).orElseGet(() -> setting(server, outcome, log)));
    }

    static String portTaken(String server, int port, String option) {
        return "Port %d for %s is taken by another process: choose another with %s, or leave it out and a free one is chosen."
                .formatted(port, server, option);
    }

    private static Optional<ServerFailure> library(String server, String log) {
        Matcher missing = LIBRARY.matcher(log);
        if (missing.find()) {
            String name = missing.group(1) == null ? missing.group(2) : missing.group(1);
            return Optional.of(new ServerFailure(
                    Kind.MISSING_LIBRARY,
                    "%s needs the library %s, which this machine does not have: install the package that holds it."
                            .formatted(server, name)));
        }
        Matcher libc = LIBC.matcher(log);
        return libc.find()
                ? Optional.of(new ServerFailure(
                        Kind.MISSING_LIBRARY,
                        "%s needs %s, and the C library of this machine is older: use a newer system."
                                .formatted(server, libc.group(1))))
                : Optional.empty();
    }

    private static Optional<ServerFailure> platform(String server, String log) {
        if (log.contains("Exec format error") || log.contains("cannot execute binary file")) {
            return Optional.of(new ServerFailure(
                    Kind.WRONG_PLATFORM,
                    "The executable of %s was built for another kind of machine.".formatted(server)));
        }
        if (log.contains("unshare failed") || log.contains("unshare: not found")) {
            return Optional.of(new ServerFailure(
                    Kind.NO_USER_NAMESPACE,
                    "PostgreSQL does not run as root, and this machine does not allow the user namespace that would help:"
                            + " start the stack as an ordinary user."));
        }
        return Optional.empty();
    }

    private static ServerFailure setting(String server, String outcome, String log) {
        Matcher refused = SETTING.matcher(log);
        return refused.find()
                ? new ServerFailure(
                        Kind.BAD_SETTING, "%s refuses a setting: %s.".formatted(server, quote(refused.group())))
                : new ServerFailure(
                        Kind.OTHER, "%s %s; the last line of its log: %s".formatted(server, outcome, lastLine(log)));
    }

    private static String lastLine(String log) {
        List<String> lines = log.lines().filter(line -> !line.isBlank()).toList();
        List<String> telling = lines.stream()
                .filter(line -> line.contains("FATAL") || line.contains("PANIC") || line.contains("ERROR"))
                .toList();
        if (!telling.isEmpty()) {
            return quote(telling.getLast());
        }
        return lines.isEmpty() ? "(empty)" : quote(lines.getLast());
    }

    private static String quote(String line) {
        String text = line.strip();
        return text.length() <= MAX_QUOTE ? text : text.substring(0, MAX_QUOTE) + "...";
    }
}
