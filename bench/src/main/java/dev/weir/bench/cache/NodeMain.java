package dev.weir.bench.cache;

import dev.weir.bench.cache.Subject.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One JVM of a run. Arguments: {@code stale} or {@code storm}, Redis, the folder of the truths, the bound in ms, whether it
 * writes, how many callers, the kinds. Prints a line a kind: name, then the numbers of {@link TwoNodes.Seen}.
 */
final class NodeMain {
    private static final long LOAD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long STORM_LOAD_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Kind kind;
    private final Truth truth;
    private final Duration bound;
    private final Subject subject;
    private long reads;
    private long failed;
    private long evictions;
    private long undelivered;
    private long stale;
    private long beyond;
    private long worstNanos;

    private NodeMain(Kind kind, Path folder, String redis, Duration bound) throws IOException {
        this.kind = kind;
        this.truth = new Truth(folder.resolve(kind.name()));
        this.bound = bound;
        this.subject = Subject.of(kind, redis, bound);
    }

    public static void main(String[] args) throws Exception {
        Thread.ofPlatform().daemon().start(NodeMain::endWithTheStarter);
        boolean storm = args[0].equals("storm");
        boolean writes = Boolean.parseBoolean(args[4]);
        int callers = Integer.parseInt(args[5]);
        List<NodeMain> nodes = new ArrayList<>();
        for (int i = 6; i < args.length; i++) {
            nodes.add(new NodeMain(
                    Kind.valueOf(args[i]), Path.of(args[2]), args[1], Duration.ofMillis(Long.parseLong(args[3]))));
        }
        List<Thread> threads = new ArrayList<>();
        for (NodeMain node : nodes) {
            node.subject.awaitReady();
            if (storm) {
                node.storm(callers, writes ? 0 : 1, threads);
            } else {
                threads.add(Thread.ofPlatform().start(node::readAll));
                if (writes) {
                    threads.add(Thread.ofPlatform().start(node::writeAll));
                }
            }
            node.truth.ready();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        nodes.forEach(NodeMain::report);
        System.exit(0);
    }

    /** The starter's end closes this process's input. */
    private static void endWithTheStarter() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException closed) {
            // The same as the end.
        }
        Runtime.getRuntime().halt(1);
    }

    private void storm(int callers, int number, List<Thread> threads) {
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                while (!truth.gone()) {
                    LockSupport.parkNanos(LOAD_NANOS);
                }
                subject.read("hot", key -> {
                    truth.loaded(number);
                    LockSupport.parkNanos(STORM_LOAD_NANOS);
                    return 1L;
                });
            }));
        }
    }

    private void readAll() {
        while (!truth.stopped()) {
            int key = ThreadLocalRandom.current().nextInt(Truth.KEYS);
            long started = System.nanoTime();
            long seen;
            try {
                seen = subject.read(Integer.toString(key), asked -> load(key));
            } catch (RuntimeException error) {
                failed++;
                continue;
            }
            long newerNanos = truth.evictedNanos(key, seen + 1);
            reads++;
            if (newerNanos != 0 && started - newerNanos > 0) {
                long age = started - newerNanos;
                stale++;
                beyond += age > bound.toNanos() ? 1 : 0;
                worstNanos = Math.max(worstNanos, age);
            }
        }
    }

    private long load(int key) {
        long version = truth.version(key);
        LockSupport.parkNanos(LOAD_NANOS);
        return version;
    }

    private void writeAll() {
        while (!truth.stopped()) {
            int key = ThreadLocalRandom.current().nextInt(Truth.KEYS);
            long version = truth.version(key) + 1;
            if (!truth.commit(key, version)) {
                return;
            }
            evict(key);
            truth.evicted(key, version, System.nanoTime());
            // Long pauses too: what was missed must have time to show.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LOAD_NANOS, 100 * LOAD_NANOS));
        }
    }

    private void evict(int key) {
        boolean delivered;
        try {
            delivered = subject.evict(Integer.toString(key));
        } catch (RuntimeException error) {
            delivered = false;
        }
        evictions++;
        undelivered += delivered ? 0 : 1;
    }

    private void report() {
        System.out.println(kind + " " + reads + " " + failed + " " + stale + " " + beyond + " " + worstNanos / 1_000
                + " " + evictions + " " + undelivered);
    }
}
