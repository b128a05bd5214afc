package dev.weir.lab.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files of /proc below a root. What is absent, may not be read or vanishes while it is read (processes and threads
 * end at any time) is empty, never an exception.
 */
final class ProcFiles {
    private final Path root;

    ProcFiles(Path root) {
        this.root = root;
    }

    static ProcFiles system() {
        return new ProcFiles(Path.of("/proc"));
    }

    Optional<String> text(String path) {
        try {
            return Optional.of(Files.readString(root.resolve(path)));
        } catch (IOException | SecurityException e) {
            return Optional.empty();
        }
    }

    List<String> lines(String path) {
        return text(path).map(text -> text.lines().toList()).orElse(List.of());
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** Whether the folder can be listed by this user. */
    boolean readable(String directory) {
        return Files.isReadable(root.resolve(directory));
    }

    /** The names in a folder that are numbers: processes, threads, file descriptors. */
    List<Long> numbers(String directory) {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(directory))) {
            for (Path entry : entries) {
                addNumber(String.valueOf(entry.getFileName()), found);
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            return found;
        }
        return found;
    }

    private static void addNumber(String name, List<Long> found) {
        if (!name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            found.add(Long.parseLong(name));
        }
    }

    /** Where a symbolic link points to; null where it cannot be read. */
    @Nullable
    String link(String path) {
        try {
            return Files.readSymbolicLink(root.resolve(path)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }
}
