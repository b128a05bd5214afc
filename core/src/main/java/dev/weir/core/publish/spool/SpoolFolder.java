package dev.weir.core.publish.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;

/** Names and small files of a spool's folder. */
final class SpoolFolder {
    private static final String SUFFIX = ".spool";
    private static final String DELIVERED = "delivered";
    private static final int MARK_BYTES = Long.BYTES + Integer.BYTES;

    private final Path folder;

    SpoolFolder(Path folder) {
        this.folder = folder;
    }

    /** Takes the folder for this process. */
    FileChannel lock() throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel)) {
            return channel;
        }
        channel.close();
        throw new SpoolException(
                SpoolException.Reason.IN_USE,
                "The spool " + folder + " is in use by another publisher; give each its own folder.",
                null);
    }

    /** The lock lives as long as the channel. */
    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        }
    }

    /** Files of records, oldest first. */
    List<Path> segments() throws IOException {
        try (var all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().matches("\\d{20}\\" + SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    Path segment(long firstSequence) {
        return folder.resolve("%020d".formatted(firstSequence) + SUFFIX);
    }

    static long firstSequence(Path segment) {
        return Long.parseLong(segment.getFileName().toString().substring(0, 20));
    }

    /** Makes new and removed names durable. */
    void force() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException unsupported) {
            if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
                throw unsupported;
            }
        }
    }

    /** The last sequence marked as delivered; 0 where there is no whole mark, which repeats records and loses none. */
    long delivered() throws IOException {
        Path file = folder.resolve(DELIVERED);
        if (!Files.exists(file)) {
            return 0;
        }
        ByteBuffer mark = ByteBuffer.wrap(Files.readAllBytes(file));
        if (mark.limit() != MARK_BYTES) {
            return 0;
        }
        long sequence = mark.getLong();
        return mark.getInt() == checksum(sequence) ? sequence : 0;
    }

    void markDelivered(long sequence) throws IOException {
        Path fresh = folder.resolve(DELIVERED + ".new");
        byte[] mark = ByteBuffer.allocate(MARK_BYTES)
                .putLong(sequence)
                .putInt(checksum(sequence))
                .array();
        Files.write(fresh, mark);
        Files.move(
                fresh, folder.resolve(DELIVERED), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static int checksum(long sequence) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(sequence).flip());
        return (int) crc.getValue();
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
