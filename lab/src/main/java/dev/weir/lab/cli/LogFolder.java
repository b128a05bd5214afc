package dev.weir.lab.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where started services print to: the folder asked for, or a temporary one that is removed at the end. A message that
 * quotes a log has quoted it by then.
 *
 * @param temporary whether it is removed
 */
record LogFolder(Path path, boolean temporary) implements AutoCloseable {

    /**
     * Makes the folder.
     *
     * @param asked null for a temporary one
     */
    static LogFolder open(@Nullable Path asked) {
        try {
            return asked == null
                    ? new LogFolder(Files.createTempDirectory("weir-compare-"), true)
                    : new LogFolder(Files.createDirectories(asked), false);
        } catch (IOException e) {
            throw new UserException(
                    asked == null ? ExitCode.ENVIRONMENT : ExitCode.USAGE,
                    "no folder for logs (" + e.getMessage() + "): name another with --logs",
                    e);
        }
    }

    @Override
    public void close() {
        if (!temporary) {
            return;
        }
        try {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // A few small files stay in the system's temporary folder, which the system clears.
        }
    }
}
