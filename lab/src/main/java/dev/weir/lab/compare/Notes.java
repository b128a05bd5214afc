package dev.weir.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What a reader must know before believing the figures. */
final class Notes {
    private static final double ERRORS = 0.001;
    private static final double SUSTAINED = 0.95;
    private static final double GENERATOR_BUSY = 0.85;

    static List<String> on(List<CompareRun> runs, boolean restarted) {
        List<String> notes = new ArrayList<>();
        if (!restarted) {
            notes.add(
                    "The services were not restarted: what they did before, and how long they have run, is part of the"
                            + " difference.");
        }
        for (Side side : Side.values()) {
            addOn(side, runs.stream().filter(run -> run.side() == side).toList(), notes);
        }
        double busiest =
                runs.stream().mapToDouble(CompareRun::busiestThreadShare).max().orElse(0);
        if (busiest > GENERATOR_BUSY) {
            notes.add(String.format(
                    Locale.ROOT,
                    "The generator's busiest thread was at work %.0f %% of a run: the capacity may be its own.",
                    busiest * 100));
        }
        return notes;
    }

    private static void addOn(Side side, List<CompareRun> runs, List<String> notes) {
        long failed = runs.stream().mapToLong(CompareRun::failed).sum();
        long offered = runs.stream().mapToLong(CompareRun::offered).sum();
        if (failed > ERRORS * offered) {
            String reasons = runs.stream()
                    .flatMap(run -> run.failures().stream().limit(1))
                    .findFirst()
                    .orElse("no reason known");
            notes.add(String.format(
                    Locale.ROOT,
                    "%s failed %.2f %% of its requests (%s in one run): a failure is not work done, compare with care.",
                    side,
                    100.0 * failed / offered,
                    reasons));
        }
        runs.stream()
                .map(CompareRun::sustained)
                .filter(Objects::nonNull)
                .min(Double::compare)
                .filter(share -> share < SUSTAINED)
                .ifPresent(share -> notes.add(String.format(
                        Locale.ROOT,
                        "%s completed only %.0f %% of the fixed rate in a run: its latency is that of a growing queue.",
                        side,
                        share * 100)));
        long unsettled = runs.stream().filter(run -> !run.settled()).count();
        if (unsettled > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%d of %d runs of %s had not settled when the warm-up's time was over; give it more.",
                    unsettled,
                    runs.size(),
                    side));
        }
    }

    private Notes() {}
}
