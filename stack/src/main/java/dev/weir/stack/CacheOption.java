package dev.weir.stack;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the cache folder, the same for every subcommand. */
final class CacheOption {
    @Option(
            names = "--cache",
            paramLabel = "FOLDER",
            description = "Folder for binaries and data (default: $WEIR_CACHE, else the user's cache folder).")
    @Nullable
    Path folder;

    CacheFolder cache() {
        Path chosen = folder;
        if (chosen != null && chosen.toString().isBlank()) {
            throw new StackException("--cache names no folder: give one, or leave it out.");
        }
        return chosen == null
                ? CacheFolder.usual()
                : new CacheFolder(chosen.toAbsolutePath().normalize());
    }
}
