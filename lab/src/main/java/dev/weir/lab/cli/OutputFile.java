package dev.weir.lab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that a command writes at its end. It is opened at the start, so that one that cannot be written is refused
 * before the work; it appears as a whole or not at all, through a temporary file beside it that takes its place.
 */
final class OutputFile implements AutoCloseable {
    private final Path file;
    private final @Nullable Path temporary;

    private OutputFile(Path file, @Nullable Path temporary) {
        this.file = file;
        this.temporary = temporary;
    }

    /**
     * Makes sure that the file can be written.
     *
     * @param option the option that names it, for the message
     * @throws UserException if it cannot
     */
    static OutputFile open(Path file, String option) {
        Path absolute = file.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            throw new UserException(ExitCode.USAGE, option + " " + file + " is a folder: name a file");
        }
        try {
            return Files.exists(absolute) ? overExisting(absolute.toRealPath()) : beside(absolute);
        } catch (IOException | SecurityException e) {
            throw new UserException(ExitCode.USAGE, option + " " + file + " cannot be written: " + why(absolute), e);
        }
    }

    private static OutputFile overExisting(Path file) throws IOException {
        if (!Files.isWritable(file)) {
            throw new IOException("not writable");
        }
        // A device or pipe cannot be replaced, only written to.
        return Files.isRegularFile(file) ? beside(file) : new OutputFile(file, null);
    }

    private static OutputFile beside(Path file) throws IOException {
        Path temporary = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary);
        temporary.toFile().deleteOnExit();
        return new OutputFile(file, temporary);
    }

    private static String why(Path file) {
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            return "the folder " + folder + " does not exist; create it, or name another file";
        }
        return "permission is missing, or the file system is full or read-only; name another file";
    }

    /**
     * Writes the file.
     *
     * @throws UserException if that fails, as on a full disk
     */
    void write(String content) {
        try {
            if (temporary == null) {
                Files.writeString(file, content);
            } else {
                Files.writeString(temporary, content);
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UserException(
                    ExitCode.ENVIRONMENT,
                    file + " could not be written (" + e.getMessage()
                            + "): free space on its disk or name another file",
                    e);
        }
    }

    /** Removes what was not finished. Idempotent. */
    @Override
    public void close() {
        if (temporary != null) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException e) {
                // Left for the deletion at exit, which was asked for when it was made.
            }
        }
    }
}
