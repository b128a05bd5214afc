package dev.weir.lab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file that a command writes at its end. It is opened at the start, so that one that cannot be written is refused
 * before the work; it appears as a whole or not at all, through a temporary file beside it that takes its place.
 *
 * <p>Used by one thread.
 */
public final class OutputFile implements AutoCloseable {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    private final @Nullable Path file;
    private final @Nullable Path temporary;
    private final @Nullable PrintWriter standardOutput;

    private OutputFile(@Nullable Path file, @Nullable Path temporary, @Nullable PrintWriter standardOutput) {
        this.file = file;
        this.temporary = temporary;
        this.standardOutput = standardOutput;
    }

    /**
     * Makes sure that the file can be written.
     *
     * @param file null for none: what is written goes nowhere
     * @param option the option that names it, for the message
     * @throws UserException if it cannot
     */
    public static OutputFile open(@Nullable Path file, String option) {
        if (file == null) {
            return new OutputFile(null, null, null);
        }
        if (file.toString().isEmpty() || file.equals(STANDARD_OUTPUT)) {
            throw new UserException(ExitCode.USAGE, option + " '" + file + "' is no file: name one, such as ./result");
        }
        Path absolute = file.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            throw new UserException(ExitCode.USAGE, option + " " + file + " is a folder: name a file");
        }
        try {
            return Files.exists(absolute)
                    ? overExisting(absolute.toRealPath())
                    : beside(folderOf(absolute).toRealPath().resolve(absolute.getFileName()));
        } catch (IOException | SecurityException e) {
            throw new UserException(ExitCode.USAGE, option + " " + file + " cannot be written: " + why(absolute), e);
        }
    }

    /** As {@link #open}, where {@code -} stands for standard output. */
    public static OutputFile openOrStandardOutput(@Nullable Path file, String option, PrintWriter out) {
        return STANDARD_OUTPUT.equals(file) ? new OutputFile(null, null, out) : open(file, option);
    }

    /**
     * Refuses two results in one file, of which the second would take the place of the first. Both may go to one device.
     *
     * @param options the options that name them, for the message
     * @throws UserException if both are the same file
     */
    public static void requireDistinct(OutputFile one, OutputFile other, String options) {
        if (one.file != null && one.temporary != null && one.file.equals(other.file)) {
            throw new UserException(
                    ExitCode.USAGE, options + " name the same file, " + one.file + ": give each its own");
        }
    }

    /** Whether what is written goes to standard output, in the place of the text for readers. */
    public boolean isStandardOutput() {
        return standardOutput != null;
    }

    private static Path folderOf(Path absolute) throws IOException {
        Path folder = absolute.getParent();
        if (folder == null) {
            throw new IOException("no folder");
        }
        return folder;
    }

    private static OutputFile overExisting(Path file) throws IOException {
        if (!Files.isWritable(file)) {
            throw new IOException("not writable");
        }
        // A device or pipe cannot be replaced, only written to.
        return Files.isRegularFile(file) ? beside(file) : new OutputFile(file, null, null);
    }

    private static OutputFile beside(Path file) throws IOException {
        Path temporary = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary);
        temporary.toFile().deleteOnExit();
        return new OutputFile(file, temporary, null);
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
     * @param content asked only where it goes somewhere
     * @throws UserException if that fails, as on a full disk
     */
    public void write(Supplier<String> content) {
        if (standardOutput != null) {
            standardOutput.print(content.get());
            standardOutput.flush();
        } else if (file != null) {
            write(file, content.get());
        }
    }

    private void write(Path target, String content) {
        try {
            if (temporary == null) {
                Files.writeString(target, content);
            } else {
                Files.writeString(temporary, content);
                Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UserException(
                    ExitCode.ENVIRONMENT,
                    target + " could not be written (" + e.getMessage()
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
