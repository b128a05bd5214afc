package dev.weir.lab.plan;

import java.nio.file.Path;

/** Reads a body from a file, as it is. */
public final class BodyFile {
    private static final int LARGEST_MEGABYTES = 16;

    /**
     * Reads it.
     *
     * @throws PlanException with one sentence, if it cannot be read or is larger than 16 MB
     */
    public static byte[] read(Path file) {
        return BoundedFile.bytes(file, LARGEST_MEGABYTES, ", the largest body Weir sends: take a smaller one");
    }

    private BodyFile() {}
}
