package dev.weir.core.publish.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.publish.spool.SpoolException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpoolTest {
    private static final SpoolConfig CONFIG = SpoolConfig.defaults();

    @TempDir
    Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Spool open() throws IOException {
        return Spool.open(folder, CONFIG);
    }

    private static void append(Spool spool, int from, int to) {
        CompletableFuture.allOf(IntStream.range(from, to)
                        .mapToObj(i -> spool.append(bytes("record " + i)))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private static List<String> readAll(Spool spool) throws IOException {
        Spool.Reader reader = spool.reader();
        List<String> all = new ArrayList<>();
        for (List<SpoolRecord> next = reader.next(7); !next.isEmpty(); next = reader.next(7)) {
            next.forEach(record -> all.add(
                    StandardCharsets.UTF_8.decode(record.content().duplicate()).toString()));
        }
        return all;
    }

    private static List<String> records(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "record " + i).toList();
    }

    private Path newestFile() throws IOException {
        return new SpoolFolder(folder).segments().getLast();
    }

    @Test
    void readsBackInOrderWhileOpenAndAfterwards() throws IOException {
        try (Spool spool = open()) {
            append(spool, 0, 100);
            assertThat(readAll(spool)).isEqualTo(records(0, 100));
        }
        try (Spool spool = open()) {
            assertThat(spool.recovery()).isEqualTo(new SpoolRecovery(100, 0, 0));
            append(spool, 100, 150);
            assertThat(readAll(spool)).isEqualTo(records(0, 150));
        }
    }

    @Test
    void aReaderGoesOnWithWhatIsAppendedLater() throws IOException {
        try (Spool spool = open()) {
            append(spool, 0, 3);
            Spool.Reader reader = spool.reader();
            assertThat(reader.next(10)).hasSize(3);
            assertThat(reader.next(10)).isEmpty();
            append(spool, 3, 5);
            assertThat(reader.next(10)).extracting(SpoolRecord::sequence).containsExactly(4L, 5L);
        }
    }

    @Test
    void cutsATornTailAtEveryByteOfTheLastRecord() throws IOException {
        try (Spool spool = open()) {
            append(spool, 0, 4);
        }
        byte[] whole = Files.readAllBytes(newestFile());
        int lastBytes = Frames.HEAD_BYTES + bytes("record 3").length;
        for (int missing = 1; missing < lastBytes; missing++) {
            Files.write(newestFile(), java.util.Arrays.copyOf(whole, whole.length - missing));
            try (Spool spool = open()) {
                assertThat(spool.recovery()).isEqualTo(new SpoolRecovery(3, lastBytes - missing, 0));
                assertThat(readAll(spool)).isEqualTo(records(0, 3));
            }
        }
    }

    @Test
    void findsEveryFlippedBitOfTheLastRecord() throws IOException {
        try (Spool spool = open()) {
            append(spool, 0, 4);
        }
        byte[] whole = Files.readAllBytes(newestFile());
        int lastBytes = Frames.HEAD_BYTES + bytes("record 3").length;
        for (int bit = (whole.length - lastBytes) * 8; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(newestFile(), flipped);
            try (Spool spool = open()) {
                assertThat(readAll(spool)).as("bit %d", bit).isEqualTo(records(0, 3));
            }
        }
    }

    @Test
    void keepsTheWholeRecordsAroundABrokenOne() throws IOException {
        try (Spool spool = open()) {
            append(spool, 0, 10);
        }
        Path file = newestFile();
        byte[] content = Files.readAllBytes(file);
        content[content.length / 2] ^= 1;
        Files.write(file, content);
        try (Spool spool = open()) {
            assertThat(spool.recovery().damagedFiles()).isOne();
            assertThat(readAll(spool)).hasSize(9).isSubsetOf(records(0, 10)).contains("record 0", "record 9");
            append(spool, 10, 11);
        }
        assertThat(file.resolveSibling(file.getFileName() + ".damaged")).hasBinaryContent(content);
        try (Spool spool = open()) {
            assertThat(spool.recovery()).isEqualTo(new SpoolRecovery(10, 0, 0));
        }
    }

    @Test
    void forgetsWhatWasDeliveredAndGoesOnCounting() throws IOException {
        SpoolConfig small = CONFIG.withSegmentBytes(1 << 16);
        byte[] large = new byte[20_000];
        try (Spool spool = Spool.open(folder, small)) {
            for (int i = 0; i < 20; i++) {
                spool.append(large).join();
            }
            assertThat(new SpoolFolder(folder).segments()).hasSizeGreaterThan(3);
            spool.delivered(20);
            assertThat(new SpoolFolder(folder).segments()).hasSize(1);
            assertThat(spool.reader().next(10)).isEmpty();
        }
        try (Spool spool = Spool.open(folder, small)) {
            assertThat(spool.recovery().records()).isZero();
            assertThat(spool.append(large).join()).isEqualTo(21);
        }
    }

    @Test
    void repeatsRatherThanLosesWhereTheMarkIsBroken() throws IOException {
        try (Spool spool = open()) {
            append(spool, 0, 5);
            spool.delivered(3);
        }
        Files.write(folder.resolve("delivered"), new byte[] {1, 2, 3});
        try (Spool spool = open()) {
            assertThat(readAll(spool)).isEqualTo(records(0, 5));
        }
    }

    @Test
    void refusesWhatDoesNotFit() throws IOException {
        try (Spool spool = Spool.open(folder, new SpoolConfig(1 << 20, 1 << 16, 1 << 20))) {
            assertThat(reasonOf(spool.append(new byte[(1 << 20) + 1]))).isEqualTo(Reason.OVERSIZED);
            spool.append(new byte[600_000]).join();
            assertThat(reasonOf(spool.append(new byte[600_000]))).isEqualTo(Reason.FULL);
            spool.append(new byte[100]).join();
            spool.delivered(2);
            spool.append(new byte[600_000]).join();
        }
    }

    @Test
    void refusesAFolderThatIsInUse() throws IOException {
        try (Spool first = open()) {
            assertThatThrownBy(this::open).isInstanceOf(SpoolException.class).hasMessageContaining("in use");
            append(first, 0, 1);
        }
        open().close();
    }

    @Test
    void refusesAppendsAfterClosing() throws IOException {
        Spool spool = open();
        spool.close();
        spool.close();
        assertThat(reasonOf(spool.append(bytes("late")))).isEqualTo(Reason.CLOSED);
    }

    private static Reason reasonOf(CompletableFuture<Long> refused) {
        assertThat(refused).isCompletedExceptionally();
        return ((SpoolException) refused.exceptionNow()).reason();
    }

    @Test
    void forcesTheDiskOnceForAllThatCameMeanwhile() throws Exception {
        AtomicInteger forces = new AtomicInteger();
        CountDownLatch firstIsForcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Segment.Opener opener = file -> new Hooked(FileSegment.open(file)) {
            @Override
            public void force() throws IOException {
                if (forces.incrementAndGet() == 1) {
                    firstIsForcing.countDown();
                    awaitUninterruptibly(goOn);
                }
                super.force();
            }
        };
        try (Spool spool = Spool.open(folder, CONFIG, opener)) {
            CompletableFuture<Long> first = spool.append(bytes("first"));
            firstIsForcing.await();
            List<CompletableFuture<Long>> others = IntStream.range(0, 100)
                    .mapToObj(i -> spool.append(bytes("r" + i)))
                    .toList();
            assertThat(first).as("not durable, not acknowledged").isNotDone();
            assertThat(spool.reader().next(10)).isEmpty();
            goOn.countDown();
            CompletableFuture.allOf(others.toArray(CompletableFuture[]::new)).join();
            assertThat(forces).hasValue(2);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void afterADiskErrorNothingUnacknowledgedStaysAndTheNextOnesAreKept() throws IOException {
        AtomicInteger writes = new AtomicInteger();
        Segment.Opener opener = file -> new Hooked(FileSegment.open(file)) {
            @Override
            public void force() throws IOException {
                if (writes.incrementAndGet() == 2) {
                    throw new IOException("no space left");
                }
                super.force();
            }
        };
        try (Spool spool = Spool.open(folder, CONFIG, opener)) {
            append(spool, 0, 1);
            assertThatThrownBy(() -> spool.append(bytes("lost")).join()).hasMessageContaining("no space left");
            append(spool, 1, 2);
            assertThat(readAll(spool)).isEqualTo(records(0, 2));
        }
        try (Spool spool = open()) {
            assertThat(readAll(spool)).isEqualTo(records(0, 2));
        }
    }

    private static class Hooked implements Segment {
        private final Segment file;

        Hooked(Segment file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            file.write(bytes);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void truncate(long bytes) throws IOException {
            file.truncate(bytes);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
