package dev.weir.lab.compare;

import dev.weir.lab.host.Machine;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one comparison found. {@link CompareJson} writes it as the published format.
 *
 * @param tookSeconds from the first start to the last stop
 * @param restarted whether every run started its service afresh
 * @param complete whether the whole schedule ran; false where the user ended it before
 * @param ratePerSecond the fixed rate; null where none was run
 * @param schedule the runs as planned, one letter each
 * @param runs those that ran, in order
 * @param figures what they say together; those not asked for are absent
 * @param notes what a reader must know before believing the figures, each as a sentence
 */
public record CompareResult(
        Instant startedAt,
        double tookSeconds,
        Machine machine,
        Contestant a,
        Contestant b,
        boolean restarted,
        boolean complete,
        CompareSettings settings,
        @Nullable Double ratePerSecond,
        String schedule,
        List<CompareRun> runs,
        List<FigureResult> figures,
        List<String> notes) {

    /** One of the two, as it was given. */
    public record Contestant(String name, String description) {}

    public CompareResult {
        runs = List.copyOf(runs);
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
    }

    /** Whether B is worse in any figure. */
    public boolean anySlower() {
        return figures.stream()
                .anyMatch(figure -> figure instanceof FigureResult.Compared compared
                        && compared.verdict() == FigureResult.Verdict.SLOWER);
    }
}
