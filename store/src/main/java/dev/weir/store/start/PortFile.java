package dev.weir.store.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file with the port a server listens on, for the process that started it with port 0. */
public final class PortFile {

    private PortFile() {}

    /** Writes the port in one step: a reader finds no file, or the whole number. */
    public static void write(Path file, int port) throws IOException {
        Path whole = file.toAbsolutePath();
        Path half = whole.resolveSibling(whole.getFileName() + ".part");
        Files.writeString(half, Integer.toString(port));
        Files.move(half, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
