package dev.weir.lab.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Tells whether a person looks at the error output. */
final class Terminal {
    private static final Path ERROR_OUTPUT = Path.of("/proc/self/fd/2");

    static boolean isErrorOutput() {
        try {
            String target = Files.readSymbolicLink(ERROR_OUTPUT).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            // Not Linux: the JDK only tells about standard input and output together.
            return Optional.ofNullable(System.console())
                    .map(Console::isTerminal)
                    .orElse(false);
        }
    }

    private Terminal() {}
}
