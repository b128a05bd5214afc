package dev.weir.core.publish.spool;

import dev.weir.core.publish.spool.SpoolException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of records on disk: an append is acknowledged when the record is durable, and records are read back in order, after a crash
 * as well.
 *
 * <p>Group commit: appends queue up; one thread takes all of them, writes them with one call and forces the disk once, so a hundred
 * callers cost about as much as one. What was appended meanwhile is the next group.
 *
 * <p>After a crash the end of the newest file may hold part of a record. Every frame carries a checksum, so the broken end is found and
 * cut. Broken places with whole records behind them are no torn tail: the whole records are salvaged into a new file and the broken
 * one is kept for a look.
 *
 * <p>After an error of write or force nobody knows which pages reached the disk (a second force may report success for pages the first
 * one lost), so the file is cut back to what was durable and never written again; the next group begins another.
 *
 * <p>Any thread may call it. Each open spool has its folder for itself.
 */
public final class Spool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);
    /** A group is written from one piece of memory; more that waits is the next group. */
    private static final int GROUP_BYTES = 4 << 20;
    /** The mark is a hint against repetition; a crash repeats at most so many records. */
    private static final int MARK_EVERY = 1_000;

    private record Append(long sequence, ByteBuffer content, CompletableFuture<Long> durable) {
        int bytes() {
            return Frames.HEAD_BYTES + content.remaining();
        }
    }

    /** What one file holds. */
    private static final class Extent {
        private final Path file;
        private long lastSequence;
        private long bytes;

        private Extent(Path file, long lastSequence, long bytes) {
            this.file = file;
            this.lastSequence = lastSequence;
            this.bytes = bytes;
        }
    }

    private final SpoolConfig config;
    private final SpoolFolder folder;
    private final Segment.Opener opener;
    private final FileChannel folderLock;
    private final SpoolRecovery recovery;
    private final Thread writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition appended = lock.newCondition();
    private final Condition durableGrew = lock.newCondition();

    /** By first sequence; guarded by the lock as all that follow. */
    private final NavigableMap<Long, Extent> extents = new TreeMap<>();

    private final Deque<Append> queue = new ArrayDeque<>();
    private long queuedBytes;
    private long nextSequence;
    private long durableSequence;
    private long deliveredSequence;
    private long markedSequence;
    private boolean closed;

    /** Used by the writing thread alone. */
    private @Nullable Segment segment;

    private long segmentBytes;

    private Spool(Path path, SpoolConfig config, Segment.Opener opener) throws IOException {
        this.config = config;
        this.opener = opener;
        this.folder = new SpoolFolder(path);
        this.folderLock = folder.lock();
        this.recovery = recover();
        this.writer = Thread.ofPlatform().name("weir-spool").daemon(true).unstarted(this::write);
    }

    /**
     * Opens a folder, made if it is not there, and recovers what is in it.
     *
     * @throws IOException if the folder cannot be read or written
     * @throws SpoolException if another publisher has it
     */
    public static Spool open(Path folder, SpoolConfig config) throws IOException {
        return open(folder, config, FileSegment::open);
    }

    static Spool open(Path folder, SpoolConfig config, Segment.Opener opener) throws IOException {
        Spool spool = new Spool(folder, config, opener);
        spool.writer.start();
        return spool;
    }

    private SpoolRecovery recover() throws IOException {
        deliveredSequence = folder.delivered();
        markedSequence = deliveredSequence;
        long last = 0;
        long records = 0;
        long cut = 0;
        int damaged = 0;
        List<Path> files = folder.segments();
        for (Path file : files) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            SegmentScan scan = SegmentScan.of(bytes, 0, last, config.maxRecordBytes());
            if (scan.isDamaged()) {
                damaged++;
                salvage(file, scan);
            } else if (scan.trailingBytes() > 0) {
                cut += scan.trailingBytes();
                cutTail(file, scan.wholeBytes());
            }
            if (scan.records().isEmpty()) {
                Files.delete(file);
                continue;
            }
            last = scan.records().getLast().sequence();
            records += scan.records().stream()
                    .filter(record -> record.sequence() > deliveredSequence)
                    .count();
            extents.put(SpoolFolder.firstSequence(file), new Extent(file, last, Files.size(file)));
        }
        durableSequence = Math.max(last, deliveredSequence);
        nextSequence = durableSequence + 1;
        folder.force();
        removeDelivered(0);
        return new SpoolRecovery(records, cut, damaged);
    }

    private void cutTail(Path file, int wholeBytes) throws IOException {
        LOG.warn("The spool {} ended in a torn record; {} is cut to {} bytes.", folder, file.getFileName(), wholeBytes);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(wholeBytes);
            channel.force(true);
        }
    }

    private void salvage(Path file, SegmentScan scan) throws IOException {
        LOG.error(
                "The spool {} has broken records in {}; {} whole ones are kept, the file stays as .damaged.",
                folder,
                file.getFileName(),
                scan.records().size());
        ByteBuffer whole = ByteBuffer.allocate(
                scan.records().stream().mapToInt(Frames::sizeOf).sum());
        for (SpoolRecord record : scan.records()) {
            Frames.put(whole, record.sequence(), record.content());
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        Segment out = FileSegment.open(fresh);
        out.write(whole.flip());
        out.force();
        out.close();
        Files.copy(file, file.resolveSibling(file.getFileName() + ".damaged"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Its bounds. */
    public SpoolConfig config() {
        return config;
    }

    /** What opening found. */
    public SpoolRecovery recovery() {
        return recovery;
    }

    /**
     * Appends a record. Does not wait for the disk.
     *
     * @return completed with the record's number when it is durable, on the writing thread, which dependents must not block; fails with
     *     {@link SpoolException}
     */
    public CompletableFuture<Long> append(byte[] content) {
        if (content.length > config.maxRecordBytes()) {
            return refused(
                    Reason.OVERSIZED,
                    "The record has " + content.length + " bytes; a spool takes " + config.maxRecordBytes() + ".");
        }
        lock.lock();
        try {
            if (closed) {
                return refused(Reason.CLOSED, "The spool " + folder + " is closed.");
            }
            long needed = (long) Frames.HEAD_BYTES + content.length;
            long held = heldBytes();
            if (held + needed > config.maxBytes()) {
                return refused(
                        Reason.FULL,
                        "The spool " + folder + " is full: " + held + " of " + config.maxBytes()
                                + " bytes wait for delivery. Raise spool-bytes, or find out why nothing is delivered.");
            }
            Append append = new Append(nextSequence++, ByteBuffer.wrap(content), new CompletableFuture<>());
            queue.add(append);
            queuedBytes += needed;
            appended.signal();
            return append.durable();
        } finally {
            lock.unlock();
        }
    }

    private static CompletableFuture<Long> refused(Reason reason, String sentence) {
        return CompletableFuture.failedFuture(new SpoolException(reason, sentence, null));
    }

    private long heldBytes() {
        return queuedBytes
                + extents.values().stream().mapToLong(extent -> extent.bytes).sum();
    }

    /** Bytes on disk and on their way there. */
    public long bytes() {
        lock.lock();
        try {
            return heldBytes();
        } finally {
            lock.unlock();
        }
    }

    /** The last record that is durable. */
    public long durableSequence() {
        lock.lock();
        try {
            return durableSequence;
        } finally {
            lock.unlock();
        }
    }

    /** Up to which record everything was marked as delivered. */
    public long deliveredSequence() {
        lock.lock();
        try {
            return deliveredSequence;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is a durable record after this one, the time is over, or the spool is closed. */
    public boolean awaitBeyond(long sequence, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (durableSequence <= sequence && !closed && left > 0) {
                left = durableGrew.awaitNanos(left);
            }
            return durableSequence > sequence;
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        while (true) {
            Deque<Append> group = takeGroup();
            if (group.isEmpty()) {
                return;
            }
            commit(group);
        }
    }

    private Deque<Append> takeGroup() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                appended.awaitUninterruptibly();
            }
            Deque<Append> group = new ArrayDeque<>();
            for (int bytes = 0;
                    !queue.isEmpty() && bytes < GROUP_BYTES;
                    bytes += group.getLast().bytes()) {
                group.addLast(queue.removeFirst());
            }
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void commit(Deque<Append> group) {
        int bytes = group.stream().mapToInt(Append::bytes).sum();
        long durableBytes = segmentBytes;
        try {
            Segment open = segmentFor(group.getFirst().sequence());
            durableBytes = segmentBytes;
            ByteBuffer buffer = ByteBuffer.allocate(bytes);
            group.forEach(append -> Frames.put(buffer, append.sequence(), append.content()));
            open.write(buffer.flip());
            open.force();
            segmentBytes += bytes;
            durable(group, bytes);
        } catch (IOException disk) {
            abandonSegment(durableBytes);
            failed(group, bytes, disk);
        }
    }

    private Segment segmentFor(long firstSequence) throws IOException {
        Segment open = segment;
        if (open != null && segmentBytes < config.segmentBytes()) {
            return open;
        }
        if (open != null) {
            segment = null;
            open.close();
        }
        Path file = folder.segment(firstSequence);
        Segment fresh = opener.open(file);
        segment = fresh;
        segmentBytes = 0;
        folder.force();
        lock.lock();
        try {
            extents.put(firstSequence, new Extent(file, firstSequence - 1, 0));
        } finally {
            lock.unlock();
        }
        return fresh;
    }

    private void durable(Deque<Append> group, int bytes) {
        lock.lock();
        try {
            Extent newest = extents.lastEntry().getValue();
            newest.lastSequence = group.getLast().sequence();
            newest.bytes += bytes;
            queuedBytes -= bytes;
            durableSequence = group.getLast().sequence();
            durableGrew.signalAll();
        } finally {
            lock.unlock();
        }
        group.forEach(append -> append.durable().complete(append.sequence()));
    }

    private void failed(Deque<Append> group, int bytes, IOException disk) {
        LOG.error("The spool {} cannot be written: {}", folder, disk.toString());
        lock.lock();
        try {
            queuedBytes -= bytes;
        } finally {
            lock.unlock();
        }
        SpoolException failure = new SpoolException(
                Reason.DISK, "The spool " + folder + " cannot be written: " + disk.getMessage() + ".", disk);
        group.forEach(append -> append.durable().completeExceptionally(failure));
    }

    private void abandonSegment(long durableBytes) {
        Segment broken = segment;
        segment = null;
        if (broken == null) {
            return;
        }
        try {
            broken.truncate(durableBytes);
            broken.close();
        } catch (IOException again) {
            LOG.warn("A file of the spool {} cannot be cut back: {}", folder, again.toString());
        }
    }

    /** Reads from the first record that is not marked as delivered. */
    public Reader reader() {
        return new Reader(deliveredSequence());
    }

    /** Reads durable records in order; used by one thread. */
    public final class Reader {
        private long last;
        private @Nullable Extent current;
        private Iterator<SpoolRecord> records = List.<SpoolRecord>of().iterator();
        private long readBytes;

        private Reader(long after) {
            last = after;
        }

        /** Number of the record read last. */
        public long last() {
            return last;
        }

        /**
         * The next records, as many as there are up to this number; none if all durable ones were read.
         *
         * @throws IOException if a file cannot be read
         */
        public List<SpoolRecord> next(int most) throws IOException {
            List<SpoolRecord> next = new ArrayList<>();
            long limit = durableSequence();
            while (next.size() < most && last < limit) {
                if (!records.hasNext() && !load()) {
                    break;
                }
                SpoolRecord record = records.next();
                if (record.sequence() > last) {
                    last = record.sequence();
                    next.add(record);
                }
            }
            return next;
        }

        /** Loads what follows in the file being read, or the next file. */
        private boolean load() throws IOException {
            Extent extent = extentAfter(last);
            if (extent == null) {
                return false;
            }
            if (extent != current) {
                current = extent;
                readBytes = 0;
            }
            byte[] bytes = read(extent);
            SegmentScan scan = SegmentScan.of(ByteBuffer.wrap(bytes), 0, 0, config.maxRecordBytes());
            if (scan.records().isEmpty() || scan.isDamaged() || scan.trailingBytes() > 0) {
                throw new IOException("The spool's file " + extent.file + " has changed while it was in use.");
            }
            readBytes += bytes.length;
            records = scan.records().iterator();
            return true;
        }

        private byte[] read(Extent extent) throws IOException {
            long durableBytes = durableBytes(extent);
            ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(durableBytes - readBytes));
            try (FileChannel channel = FileChannel.open(extent.file)) {
                long position = readBytes;
                while (buffer.hasRemaining()) {
                    int count = channel.read(buffer, position);
                    if (count < 0) {
                        throw new IOException("The spool's file " + extent.file + " is shorter than what was written.");
                    }
                    position += count;
                }
            }
            return buffer.array();
        }
    }

    private long durableBytes(Extent extent) {
        lock.lock();
        try {
            return extent.bytes;
        } finally {
            lock.unlock();
        }
    }

    /** The file that holds the first record after this one. */
    private @Nullable Extent extentAfter(long sequence) {
        lock.lock();
        try {
            for (Extent extent : extents.values()) {
                if (extent.lastSequence > sequence) {
                    return extent;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Everything up to this record is delivered and need not be read again; files without anything else are removed. After a crash the
     * last thousand may be read again.
     *
     * @throws IOException if the mark cannot be written; nothing is lost by that
     */
    public void delivered(long throughSequence) throws IOException {
        lock.lock();
        try {
            if (throughSequence <= deliveredSequence) {
                return;
            }
            deliveredSequence = throughSequence;
            if (throughSequence - markedSequence >= MARK_EVERY || throughSequence == durableSequence) {
                mark();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #delivered(long)}, but a kill of the process repeats nothing of it: for those who call it seldom.
     *
     * @throws IOException if the mark cannot be written; nothing is lost by that
     */
    public void deliveredAndMarked(long throughSequence) throws IOException {
        lock.lock();
        try {
            deliveredSequence = Math.max(deliveredSequence, throughSequence);
            if (deliveredSequence > markedSequence) {
                mark();
            }
        } finally {
            lock.unlock();
        }
    }

    private void mark() throws IOException {
        folder.markDelivered(deliveredSequence);
        markedSequence = deliveredSequence;
        removeDelivered(1);
    }

    /** Once open, the newest file stays: it may be written to. */
    private void removeDelivered(int keepFiles) throws IOException {
        while (extents.size() > keepFiles) {
            Map.Entry<Long, Extent> oldest = extents.firstEntry();
            if (oldest.getValue().lastSequence > markedSequence) {
                return;
            }
            Files.deleteIfExists(oldest.getValue().file);
            extents.remove(oldest.getKey());
        }
    }

    /** Waits for what was appended, then closes. Does nothing the second time. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            appended.signal();
            durableGrew.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            if (!writer.join(CLOSE_TIME)) {
                LOG.error("The spool {} is still being written after {} s.", folder, CLOSE_TIME.toSeconds());
            }
            closeFiles();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("The spool {} cannot be closed in order: {}", folder, e.toString());
        }
    }

    private void closeFiles() throws IOException {
        lock.lock();
        try {
            if (deliveredSequence > markedSequence) {
                folder.markDelivered(deliveredSequence);
            }
        } finally {
            lock.unlock();
        }
        Segment open = segment;
        if (open != null) {
            open.close();
        }
        folderLock.close();
    }
}
