package dev.weir.lab.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file up to a bound. What the system says of its size is no bound: a device or pipe has none. */
public final class BoundedFile {

    /**
     * Its bytes. Blocks while it is read; a pipe without a writer blocks for as long.
     *
     * @param advice what follows "is larger than N MB" in the complaint
     * @throws PlanException with one sentence, if it cannot be read or is larger
     */
    public static byte[] bytes(Path file, int largestMegabytes, String advice) {
        int largest = largestMegabytes << 20;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(largest + 1);
            if (content.length > largest) {
                throw new PlanException(file + " is larger than " + largestMegabytes + " MB" + advice);
            }
            return content;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /**
     * Its text, which must be UTF-8; a byte order mark is left out.
     *
     * @throws PlanException as {@link #bytes} does, and if it is no text
     */
    public static String text(Path file, int largestMegabytes, String advice) {
        byte[] content = bytes(file, largestMegabytes, advice);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return text.startsWith("\ufeff") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new PlanException(file + " is not text in UTF-8", e);
        }
    }

    private static PlanException unreadable(Path file, IOException cause) {
        if (file.toString().isEmpty()) {
            return new PlanException("the name of a file is empty: give the path of a readable file", cause);
        }
        String why = !Files.exists(file)
                ? "does not exist"
                : Files.isDirectory(file) ? "is a folder, not a file" : "cannot be read";
        return new PlanException(file + " " + why + ": give the path of a readable file", cause);
    }

    private BoundedFile() {}
}
