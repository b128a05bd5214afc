package dev.weir.core.publish.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of the file system. */
final class FileSegment implements Segment {
    private final FileChannel channel;

    private FileSegment(FileChannel channel) {
        this.channel = channel;
    }

    static Segment open(Path file) throws IOException {
        return new FileSegment(FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void truncate(long bytes) throws IOException {
        channel.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
