package dev.weir.bench.publish;

import dev.weir.bench.broker.Rounds;
import dev.weir.bench.broker.Servers;
import dev.weir.core.publish.KafkaTopics;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * How many events a second are acknowledged by one broker, from several threads with 1,000 keys over 4 partitions? One send().get() per
 * event with the client's defaults; the bare client with Weir's settings, as fast as it takes them, and the same with a header for the id as
 * Weir's events have it, which client and broker read and write for each event; Weir's publisher.
 * A B C D D C B A for each size on one broker, a warm-up before each run. Command: bench/publish [ROUNDS [SECONDS]].
 */
final class PublishMain {
    private static final int THREADS = 4;
    private static final int KEYS = 1_000;
    private static final int PARTITIONS = 4;
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    /** What is written leaves the page cache before the disk gets it: the disk would slow down whoever comes after much was written. */
    private static final Map<String, String> FORGETFUL_TOPIC =
            Map.of("segment.bytes", "16777216", "retention.bytes", "33554432", "file.delete.delay.ms", "0");

    private record Run(double perSecond, double requestsPerThousand, double cpuMicros) {}

    private final String bootstrap;
    private final Duration each;
    private final Rounds<Run> runs = new Rounds<>();

    private PublishMain(String bootstrap, Duration each) {
        this.bootstrap = bootstrap;
        this.each = each;
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Duration each = Duration.ofSeconds(Long.parseLong(args[1]));
        try (Stack stack = Servers.start(PublishMain::forgetful)) {
            PublishMain bench = new PublishMain(stack.kafka().bootstrap(), each);
            for (int size : new int[] {100, 1_024}) {
                bench.compare(size, rounds);
            }
            bench.print();
        }
    }

    /** The broker looks for old segments all the time. */
    private static StackConfig forgetful(StackConfig config) {
        return config.withKafkaSetting("log.retention.check.interval.ms", "500")
                .withKafkaSetting("log.initial.task.delay.ms", "500");
    }

    private void compare(int size, int rounds) throws Exception {
        Map<String, Supplier<Way>> ways = new LinkedHashMap<>();
        ways.put("send().get()", () -> new RawWay(settings(false), topic(size), true, false));
        ways.put("bare client", () -> new RawWay(settings(true), topic(size), false, false));
        ways.put("bare client with ids", () -> new RawWay(settings(true), topic(size), false, true));
        ways.put("Weir", () -> new WeirWay(Map.of("bootstrap.servers", bootstrap), topic(size)));
        new KafkaTopics(bootstrap).create(topic(size), PARTITIONS, FORGETFUL_TOPIC);
        for (int round = 0; round < rounds; round++) {
            for (String name : Rounds.order(List.copyOf(ways.keySet()), round)) {
                runs.add(size + " B, " + name, run(Objects.requireNonNull(ways.get(name)), size));
            }
        }
    }

    private static String topic(int size) {
        return "bench-" + size;
    }

    /** What the publisher sets where nothing is given, so that the bare client runs with the same. */
    private Map<String, Object> settings(boolean asWeir) {
        return asWeir
                ? Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "acks",
                        "all",
                        "enable.idempotence",
                        "true",
                        "batch.size",
                        128 * 1024,
                        "buffer.memory",
                        128L << 20)
                : Map.of("bootstrap.servers", bootstrap);
    }

    private Run run(Supplier<Way> making, int size) throws Exception {
        try (Way way = making.get()) {
            long end = System.nanoTime() + WARM_UP.plus(each).toNanos();
            List<Thread> threads = IntStream.range(0, THREADS)
                    .mapToObj(i -> Thread.ofPlatform().start(() -> publish(way, size, i, end)))
                    .toList();
            sleepUntil(end - each.toNanos());
            long startNanos = System.nanoTime();
            long startCpu = Servers.cpuNanos();
            long startCount = way.acknowledged();
            double startRequests = way.requests();
            sleepUntil(end);
            long nanos = System.nanoTime() - startNanos;
            long count = way.acknowledged() - startCount;
            double requests = way.requests() - startRequests;
            long cpu = Servers.cpuNanos() - startCpu;
            for (Thread thread : threads) {
                thread.join();
            }
            if (way.failed() > 0) {
                throw new IllegalStateException(way.failed() + " events failed; the figures would mean nothing.");
            }
            return new Run(count * 1e9 / nanos, requests * 1_000 / count, cpu / 1e3 / count);
        }
    }

    private static void publish(Way way, int size, int seed, long end) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] value = new byte[size];
        random.nextBytes(value);
        try {
            while (System.nanoTime() - end < 0) {
                byte[] key = ByteBuffer.allocate(Integer.BYTES)
                        .putInt(random.nextInt(KEYS))
                        .array();
                way.publish(key, value);
            }
        } catch (Exception failed) {
            throw new IllegalStateException("A publishing thread failed.", failed);
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
        }
    }

    private void print() {
        System.out.println(
                "| Events, way | events/s (median) | lowest to highest | requests per 1,000 events | client CPU per event |");
        System.out.println("|---|---:|---:|---:|---:|");
        for (String name : runs.variants()) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %s | %.2f | %.2f µs |%n",
                    name,
                    runs.median(name, Run::perSecond),
                    runs.scores(name, Run::perSecond).range(),
                    runs.median(name, Run::requestsPerThousand),
                    runs.median(name, Run::cpuMicros));
        }
        System.out.println();
        for (int size : new int[] {100, 1_024}) {
            double weir = rate(size, "Weir");
            System.out.printf(
                    Locale.ROOT,
                    "%d B: Weir is %.1f x one send().get() per event (goal 12), %.2f x the bare client (goal 0.8), %.2f x the bare client with ids; requests %.1f %% fewer (goal 98 %%).%n",
                    size,
                    weir / rate(size, "send().get()"),
                    weir / rate(size, "bare client"),
                    weir / rate(size, "bare client with ids"),
                    100 - 100 * requests(size, "Weir") / requests(size, "send().get()"));
        }
    }

    private double rate(int size, String name) {
        return runs.median(size + " B, " + name, Run::perSecond);
    }

    private double requests(int size, String name) {
        return runs.median(size + " B, " + name, Run::requestsPerThousand);
    }
}
