package dev.weir.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * The folder that holds everything of the stack: {@code binaries}, {@code templates} (fresh data folders to copy) and
 * {@code runs} (one folder a run). Only their owner may enter them.
 */
record CacheFolder(Path root) {
    /** The environment variable that moves the folder. */
    static final String VARIABLE = "WEIR_CACHE";

    private static final long MEBIBYTE = 1024L * 1024;

    /** {@code WEIR_CACHE}, else {@code XDG_CACHE_HOME/weir}, else the place that is usual on the system. */
    static Path usual(Map<String, String> environment, String osName, Path home) {
        String own = environment.getOrDefault(VARIABLE, "");
        if (!own.isBlank()) {
            return Path.of(own).toAbsolutePath().normalize();
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (xdg.startsWith("/")) {
            return Path.of(xdg, "weir");
        }
        return osName.startsWith("Mac") ? home.resolve("Library/Caches/weir") : home.resolve(".cache/weir");
    }

    static CacheFolder usual() {
        return new CacheFolder(usual(
                System.getenv(), System.getProperty("os.name", ""), Path.of(System.getProperty("user.home", "."))));
    }

    Path binaries() {
        return root.resolve("binaries");
    }

    Path templates() {
        return root.resolve("templates");
    }

    Path runs() {
        return root.resolve("runs");
    }

    /**
     * Creates what is missing; a sentence when that is not possible. Permissions of a root that was there before are left
     * alone: it may be a folder that others use as well.
     */
    void create() {
        try {
            for (Path folder : List.of(root, binaries(), templates(), runs())) {
                createForOwner(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new StackException(
                    "The folder %s cannot be created or written (%s): set %s to a folder that can."
                            .formatted(root, e.getMessage(), VARIABLE),
                    e);
        }
    }

    private static void createForOwner(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** A sentence when the disk has less room than the servers need to start. */
    void requireFreeSpace(long neededBytes) {
        try {
            requireFreeSpace(root, Files.getFileStore(root).getUsableSpace(), neededBytes);
        } catch (IOException e) {
            throw new StackException("The free space below %s cannot be read (%s).".formatted(root, e.getMessage()), e);
        }
    }

    static void requireFreeSpace(Path folder, long usableBytes, long neededBytes) {
        if (usableBytes < neededBytes) {
            throw new StackException(
                    "The servers need %d MB of disk below %s, and %d MB are free: free some space, or set %s to a folder on another disk."
                            .formatted(neededBytes / MEBIBYTE, folder, usableBytes / MEBIBYTE, VARIABLE));
        }
    }
}
