package dev.weir.bench.cache;

import dev.weir.bench.cache.Subject.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Two JVMs with the same caches on one Redis, and the truths they share. */
final class TwoNodes implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration END = Duration.ofSeconds(60);

    private final Path folder;
    private final List<Kind> kinds;
    private final Map<Kind, Truth> truths = new EnumMap<>(Kind.class);
    private final List<Process> processes = new ArrayList<>();

    /**
     * What the readers of both nodes saw of one cache.
     *
     * @param reads those that answered
     * @param failed those that threw
     * @param stale reads that began after an eviction had returned and saw an older version
     * @param beyond of these, later than the bound
     * @param worstMicros the greatest age
     * @param evictions all of them
     * @param undelivered those of which the cache said, or showed by throwing, that Redis did not have them yet
     */
    record Seen(long reads, long failed, long stale, long beyond, long worstMicros, long evictions, long undelivered) {
        private static final int NUMBERS = 7;

        Seen plus(Seen other) {
            return new Seen(
                    reads + other.reads,
                    failed + other.failed,
                    stale + other.stale,
                    beyond + other.beyond,
                    Math.max(worstMicros, other.worstMicros),
                    evictions + other.evictions,
                    undelivered + other.undelivered);
        }

        private static Seen parse(long[] numbers) {
            return new Seen(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]);
        }
    }

    TwoNodes(String mode, String redis, Duration bound, int callers, List<Kind> kinds) throws IOException {
        this.folder = Files.createTempDirectory("weir-cache-bench");
        this.kinds = kinds;
        for (Kind kind : kinds) {
            truths.put(kind, new Truth(folder.resolve(kind.name())));
        }
        for (int node = 0; node < 2; node++) {
            processes.add(start(mode, redis, bound, node == 0, callers));
        }
        try {
            awaitReady();
        } catch (IllegalStateException failed) {
            close();
            throw failed;
        }
    }

    Truth truth(Kind kind) {
        return Objects.requireNonNull(truths.get(kind));
    }

    /** Stops both and adds up what they saw. */
    Map<Kind, Seen> finish() throws IOException, InterruptedException {
        truths.values().forEach(Truth::stop);
        Map<Kind, Seen> seen = new EnumMap<>(Kind.class);
        for (Process process : processes) {
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line : lines.lines().toList()) {
                    String[] words = line.split(" ", -1);
                    if (words.length == 1 + Seen.NUMBERS) {
                        long[] numbers = Arrays.stream(words)
                                .skip(1)
                                .mapToLong(Long::parseLong)
                                .toArray();
                        seen.merge(Kind.valueOf(words[0]), Seen.parse(numbers), Seen::plus);
                    }
                }
            }
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("A node did not stop within " + END.toSeconds() + " s.");
            }
        }
        if (seen.size() != kinds.size()) {
            throw new IllegalStateException("A node reported nothing; see its errors above.");
        }
        return seen;
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        for (Kind kind : kinds) {
            Files.deleteIfExists(folder.resolve(kind.name()));
        }
        Files.deleteIfExists(folder);
    }

    private Process start(String mode, String redis, Duration bound, boolean writes, int callers) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                // What clients log while Redis is away would fill the pipe that the figures come through.
                "-Dlogback.configurationFile=silent-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                NodeMain.class.getName(),
                mode,
                redis,
                folder.toString(),
                Long.toString(bound.toMillis()),
                Boolean.toString(writes),
                Integer.toString(callers)));
        kinds.forEach(kind -> command.add(kind.name()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + START.toNanos();
        while (truths.values().stream().anyMatch(truth -> truth.readyNodes() < 2)) {
            if (System.nanoTime() - deadline > 0 || processes.stream().anyMatch(process -> !process.isAlive())) {
                throw new IllegalStateException("The nodes were not ready; see their errors above.");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
