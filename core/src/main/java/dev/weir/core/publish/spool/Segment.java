package dev.weir.core.publish.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The file being written; used by the writing thread alone. */
interface Segment {

    /** Opens a new file for writing. */
    @FunctionalInterface
    interface Opener {
        Segment open(Path file) throws IOException;
    }

    /** Writes all of it at the end. */
    void write(ByteBuffer bytes) throws IOException;

    /** Returns when everything written is on the disk. */
    void force() throws IOException;

    /** Cuts the file. */
    void truncate(long bytes) throws IOException;

    /** Closes it. */
    void close() throws IOException;
}
