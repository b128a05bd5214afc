package dev.weir.lab.compare;

import dev.weir.lab.compare.CompareResult.Contestant;
import dev.weir.lab.host.Machine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares two ways to run a service: A A for the floor, then A B B A as often as asked; each run starts its side, warms it
 * up and measures it, and stops it. One use, by one thread; interrupting that thread ends it early.
 */
public final class Comparison {
    private static final int REPLICATES = 4_000;

    private final Contender a;
    private final Contender b;
    private final CompareSettings settings;
    private final Generators generators;
    private final CompareProgress progress;
    private final Path logFolder;
    private final Clock clock;

    private final List<MeasuredRun> measured = new ArrayList<>();
    private @Nullable Double ratePerSecond;

    /**
     * Prepares one.
     *
     * @param logFolder gets what started services print, a file each run
     */
    public Comparison(
            Contender a,
            Contender b,
            CompareSettings settings,
            Generators generators,
            CompareProgress progress,
            Path logFolder,
            Clock clock) {
        this.a = a;
        this.b = b;
        this.settings = settings;
        this.generators = generators;
        this.progress = progress;
        this.logFolder = logFolder;
        this.clock = clock;
        this.ratePerSecond = settings.ratePerSecond();
    }

    /**
     * Runs the schedule. Blocks for (time x 2 + start + warm-up) x runs, at most. If the calling thread is interrupted, the
     * run in progress is dropped, its service stopped, and what the runs before it say is returned as incomplete.
     *
     * @throws ServiceFailure if a side does not start, or does not answer one request well
     */
    public CompareResult run() throws ServiceFailure {
        Instant startedAt = clock.instant();
        List<Side> schedule = Schedule.of(settings.rounds());
        boolean complete = runAll(schedule);
        return result(startedAt, schedule, complete);
    }

    private boolean runAll(List<Side> schedule) throws ServiceFailure {
        try {
            for (int position = 0; position < schedule.size(); position++) {
                run(position, schedule);
            }
            return true;
        } catch (InterruptedException ended) {
            return false;
        } catch (ServiceFailure failure) {
            // A SIGINT from the terminal reaches the service as well, which may end before this thread hears of it.
            if (Thread.interrupted()) {
                return false;
            }
            throw failure;
        }
    }

    private void run(int position, List<Side> schedule) throws ServiceFailure, InterruptedException {
        Side side = schedule.get(position);
        Contender contender = side == Side.A ? a : b;
        String title = String.format(
                Locale.ROOT, "run %d of %d, %s (%s)", position + 1, schedule.size(), side, contender.name());
        progress.tell(title + (contender.restarts() ? ": starting" : ": warming up"));
        long started = System.nanoTime();
        Path log = logFolder.resolve(String.format(Locale.ROOT, "%02d-%s.log", position + 1, side));
        try (Subject subject = contender.open(log)) {
            double startSeconds = contender.restarts() ? (System.nanoTime() - started) / 1e9 : 0;
            MeasuredRun run = new RunMeasurer(
                            settings, generators, line -> progress.tell(title + ": " + line), Thread::sleep)
                    .measure(subject, contender.name(), side, position, startSeconds, ratePerSecond);
            ratePerSecond = run.ratePerSecond();
            measured.add(run);
            progress.tell(title + ": " + CompareText.line(run.summary()));
        }
        if (position == 1) {
            progress.tell("A/A floor so far: " + CompareText.floors(measured));
        }
    }

    private CompareResult result(Instant startedAt, List<Side> schedule, boolean complete) {
        List<CompareRun> runs = measured.stream().map(MeasuredRun::summary).toList();
        return new CompareResult(
                startedAt,
                Duration.between(startedAt, clock.instant()).toMillis() / 1e3,
                Machine.current(),
                new Contestant(a.name(), a.description()),
                new Contestant(b.name(), b.description()),
                a.restarts() && b.restarts(),
                complete,
                settings,
                settings.measuresAtRate() ? ratePerSecond : null,
                schedule.stream().map(Side::name).collect(Collectors.joining(" ")),
                runs,
                new FigureResults(settings, measured, new Inference(new SplittableRandom(settings.seed()), REPLICATES))
                        .all(),
                Notes.on(runs, a.restarts() && b.restarts()));
    }
}
