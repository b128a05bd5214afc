package dev.weir.lab.compare;

import dev.weir.lab.compare.FigureResult.NotEnoughData;
import dev.weir.lab.compare.FigureResult.NotMeasured;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Gathers each figure's series from the runs and has it judged. */
final class FigureResults {
    private final CompareSettings settings;
    private final List<MeasuredRun> runs;
    private final Inference inference;

    FigureResults(CompareSettings settings, List<MeasuredRun> runs, Inference inference) {
        this.settings = settings;
        this.runs = runs;
        this.inference = inference;
    }

    List<FigureResult> all() {
        return Stream.of(Figure.values())
                .filter(settings.figures()::contains)
                .map(this::one)
                .toList();
    }

    private FigureResult one(Figure figure) {
        List<RunSeries> series = runs.stream()
                .map(run -> run.series().get(figure))
                .filter(Objects::nonNull)
                .toList();
        if (series.isEmpty() && !runs.isEmpty()) {
            return figure == Figure.CPU_PER_REQUEST
                    ? new NotMeasured(figure, "the CPU time of the service's process cannot be seen from here")
                    : new NotEnoughData(figure, "no run has a second with an answer");
        }
        return inference.compare(figure, series);
    }
}
