package dev.weir.lab.collect;

import dev.weir.lab.collect.SeenThread.Occupation;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Takes the dumps of a {@link WorkerCensus} from a JVM.
 *
 * <p>What a dump costs both sides is the frames it carries: 200 threads with the 80 frames of a Spring request are 16,000.
 * So all threads are read just deep enough to see a pool's idle wait, and only a few busy ones, chosen at random, whole.
 */
final class ThreadDumps {
    private static final int SHALLOW_FRAMES = 12;
    private static final int DEEP_FRAMES = 256;
    private static final int DEEP_THREADS = 12;

    private final ThreadMXBean threads;
    private final Random random;

    ThreadDumps(ThreadMXBean threads, Random random) {
        this.threads = threads;
        this.random = random;
    }

    private record Known(long id, SeenThread seen) {}

    /** Takes one dump of each kind and adds them. */
    void addTo(WorkerCensus census) {
        List<Known> all = seen(threads.getAllThreadIds(), SHALLOW_FRAMES).toList();
        census.addShallow(all.stream().map(Known::seen).toList());
        census.addDeep(seen(someBusy(all), DEEP_FRAMES).map(Known::seen).toList());
    }

    private long[] someBusy(List<Known> all) {
        List<Long> busy = new ArrayList<>(all.stream()
                .filter(thread -> thread.seen().occupation() == Occupation.BUSY)
                .map(Known::id)
                .toList());
        Collections.shuffle(busy, random);
        return busy.stream().limit(DEEP_THREADS).mapToLong(Long::longValue).toArray();
    }

    // An id whose thread ended meanwhile is answered with null.
    private Stream<Known> seen(long[] ids, int frames) {
        return ids.length == 0
                ? Stream.of()
                : Arrays.stream(threads.getThreadInfo(ids, frames))
                        .filter(Objects::nonNull)
                        .map(ThreadDumps::known)
                        .flatMap(Optional::stream);
    }

    private static Optional<Known> known(ThreadInfo info) {
        return SeenThread.of(info.getThreadName(), info.getThreadState(), info.getStackTrace())
                .map(seen -> new Known(info.getThreadId(), seen));
    }
}
