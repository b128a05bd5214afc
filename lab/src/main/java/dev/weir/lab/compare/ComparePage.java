package dev.weir.lab.compare;

import dev.weir.lab.compare.FigureResult.Compared;
import dev.weir.lab.report.AbResult;
import dev.weir.lab.report.ComparisonPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison as one HTML page. */
public final class ComparePage {
    private static final String NONE = "-";

    /** The whole page; it needs no network and no other file. */
    public static String of(CompareResult result) {
        return ComparisonPage.render(rows(result));
    }

    static AbResult rows(CompareResult result) {
        return new AbResult(
                headline(result),
                result.a().description(),
                result.b().description(),
                result.figures().stream()
                        .map(figure -> row(figure, result.ratePerSecond()))
                        .toList(),
                conditions(result),
                result.notes());
    }

    /** The figures that differ; where none does, the most important one. The table has all of them. */
    private static String headline(CompareResult result) {
        List<FigureResult> differing =
                result.figures().stream().filter(ComparePage::differs).toList();
        return (differing.isEmpty() ? result.figures().subList(0, 1) : differing)
                .stream()
                        .map(figure -> CompareText.sentence(figure, result.ratePerSecond()))
                        .collect(Collectors.joining(" "));
    }

    private static boolean differs(FigureResult result) {
        return result instanceof Compared compared && compared.verdict() != FigureResult.Verdict.NO_DIFFERENCE;
    }

    private static AbResult.Row row(FigureResult result, @Nullable Double ratePerSecond) {
        String title = CompareText.title(result.figure(), ratePerSecond);
        String verdict = CompareText.verdict(result);
        return result instanceof Compared compared
                ? new AbResult.Row(
                        title,
                        CompareText.value(compared.figure(), compared.a()),
                        CompareText.value(compared.figure(), compared.b()),
                        CompareText.change(compared),
                        CompareText.interval(compared),
                        verdict + "; two runs of A differ by up to " + CompareText.floor(compared))
                : new AbResult.Row(title, NONE, NONE, null, null, verdict);
    }

    private static SequencedMap<String, String> conditions(CompareResult result) {
        SequencedMap<String, String> conditions = new LinkedHashMap<>();
        conditions.put("Started", result.startedAt().toString());
        conditions.put("Schedule", CompareText.schedule(result));
        conditions.put("Machine", CompareText.machine(result));
        return conditions;
    }

    private ComparePage() {}
}
