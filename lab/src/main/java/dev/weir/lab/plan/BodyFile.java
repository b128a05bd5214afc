package dev.weir.lab.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a body from a file, as it is. */
public final class BodyFile {
    private static final long LARGEST_BYTES = 16L << 20;

    /**
     * Reads it.
     *
     * @throws PlanException with one sentence, if it cannot be read or is larger than 16 MB
     */
    public static byte[] read(Path file) {
        try {
            if (Files.size(file) > LARGEST_BYTES) {
                throw new PlanException(
                        file + " is larger than 16 MB, the largest body Weir sends: take a smaller one");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw YamlNode.unreadable(file, e);
        }
    }

    private BodyFile() {}
}
