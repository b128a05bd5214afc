package dev.weir.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The runs of this user: those that run, and what dead ones left behind.
 *
 * <p>A run folder appears under its name only together with its run file, so a folder whose file names a process that is gone is
 * a leftover, at any time and whoever looks. Folders under an unfinished name belong to a start in progress until they are old.
 */
final class Runs {
    /** How the names of folders start that are not complete yet. */
    static final String UNFINISHED = ".new-";

    private static final Duration UNFINISHED_AGE = Duration.ofHours(1);
    private static final Duration STOP_TIME = Duration.ofSeconds(10);

    private final CacheFolder cache;
    private final InstantSource clock;

    Runs(CacheFolder cache, InstantSource clock) {
        this.cache = cache;
        this.clock = clock;
    }

    /** Runs whose owner is alive, in the order of their names. */
    List<RunFile> running() {
        return all().stream().filter(run -> run.owner().alive().isPresent()).toList();
    }

    /** Runs whose owner is gone. */
    List<RunFile> leftovers() {
        return all().stream().filter(run -> run.owner().alive().isEmpty()).toList();
    }

    /** Creates the folder of a run, complete with its run file, and returns it. */
    Path create(RunFile run) throws IOException {
        Path fresh = Files.createTempDirectory(cache.runs(), UNFINISHED);
        run.write(fresh);
        Path folder = cache.runs().resolve(run.id());
        Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        return folder;
    }

    /** Stops the servers of dead runs, removes their folders, and tells what was found. */
    void clearLeftovers(StackProgress progress) {
        for (RunFile run : leftovers()) {
            progress.step("Clearing what the run %s left behind".formatted(run.id()));
            clear(run);
        }
        for (Path folder : List.of(cache.runs(), cache.templates(), cache.binaries())) {
            clearUnfinished(folder);
        }
    }

    /** Stops what still runs of a dead run and removes its folder. */
    void clear(RunFile run) {
        List<ProcessHandle> alive = run.servers().stream()
                .flatMap(server -> server.process().alive().stream())
                .toList();
        alive.forEach(ProcessHandle::destroy);
        alive.forEach(process -> awaitEnd(process, STOP_TIME));
        try {
            FileTree.delete(cache.runs().resolve(run.id()));
        } catch (IOException e) {
            throw new StackException(
                    "The folder %s of a dead run cannot be removed (%s): remove it by hand."
                            .formatted(cache.runs().resolve(run.id()), e.getMessage()),
                    e);
        }
    }

    /** Waits for the end of a process and kills it when it takes longer than {@code time}. */
    static void awaitEnd(ProcessHandle process, Duration time) {
        if (!endsWithin(process, time)) {
            process.destroyForcibly();
            endsWithin(process, STOP_TIME);
        }
    }

    private static boolean endsWithin(ProcessHandle process, Duration time) {
        try {
            process.onExit().get(time.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private List<RunFile> all() {
        List<RunFile> runs = new ArrayList<>();
        for (Path folder : list(cache.runs())) {
            if (!folder.getFileName().toString().startsWith(UNFINISHED)) {
                read(folder).ifPresent(runs::add);
            }
        }
        return runs;
    }

    private static Optional<RunFile> read(Path folder) {
        try {
            return Optional.of(RunFile.read(folder));
        } catch (IOException | IllegalArgumentException gone) {
            return Optional.empty();
        }
    }

    private void clearUnfinished(Path parent) {
        Instant old = clock.instant().minus(UNFINISHED_AGE);
        for (Path folder : list(parent)) {
            if (folder.getFileName().toString().startsWith(UNFINISHED)) {
                clearOlderThan(old, folder);
            }
        }
    }

    private static void clearOlderThan(Instant old, Path folder) {
        try {
            if (Files.getLastModifiedTime(folder).toInstant().isBefore(old)) {
                FileTree.delete(folder);
            }
        } catch (IOException gone) {
            // Another start is clearing the same folder.
        }
    }

    private static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new StackException("The folder %s cannot be read.".formatted(folder), e);
        }
    }
}
