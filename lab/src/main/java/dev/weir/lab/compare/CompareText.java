package dev.weir.lab.compare;

import dev.weir.lab.compare.FigureResult.Compared;
import dev.weir.lab.compare.FigureResult.NotEnoughData;
import dev.weir.lab.compare.FigureResult.NotMeasured;
import dev.weir.lab.compare.FigureResult.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A comparison's result in words. */
public final class CompareText {
    private static final String NONE = "-";
    private static final int NAME_WIDTH = 60;

    /** The whole result as lines of plain text. */
    public static String of(CompareResult result) {
        List<String> lines = new ArrayList<>();
        if (!result.complete()) {
            lines.add("Ended early, after " + result.runs().size() + " of "
                    + result.schedule().split(" ").length + " runs.");
        }
        result.figures().forEach(figure -> lines.add(sentence(figure, result.ratePerSecond())));
        result.notes().forEach(note -> lines.add("Note: " + note));
        lines.add("");
        lines.addAll(table(result));
        lines.add("");
        lines.add("A         " + result.a().description());
        lines.add("B         " + result.b().description());
        lines.add("schedule  " + schedule(result));
        lines.add("machine   " + machine(result));
        return String.join(System.lineSeparator(), lines);
    }

    /**
     * The answer for one figure.
     *
     * @param ratePerSecond the fixed rate; null where none was run
     */
    public static String sentence(FigureResult result, @Nullable Double ratePerSecond) {
        String subject = title(result.figure(), ratePerSecond);
        return switch (result) {
            case Compared compared -> subject + ": " + sentence(compared);
            case NotEnoughData data -> subject + ": not enough data: " + data.missing() + ".";
            case NotMeasured not -> subject + ": not measured: " + not.why() + ".";
        };
    }

    private static String sentence(Compared result) {
        if (result.verdict() == Verdict.NO_DIFFERENCE) {
            return String.format(
                    Locale.ROOT,
                    "no difference that this machine can show (%s, 95 %% interval %s; two runs of A differ by up to"
                            + " %.1f %%).",
                    change(result),
                    interval(result),
                    100 * result.floor());
        }
        double low = 100 * Math.min(Math.abs(result.low()), Math.abs(result.high()));
        double high = 100 * Math.max(Math.abs(result.low()), Math.abs(result.high()));
        return String.format(
                Locale.ROOT,
                "B is %s by %.1f %% (95 %% interval %.1f to %.1f %%): %s against %s.",
                verdictWord(result),
                100 * Math.abs(result.change()),
                low,
                high,
                value(result.figure(), result.b()),
                value(result.figure(), result.a()));
    }

    /** The verdict of a figure as a table's cell. */
    static String verdict(FigureResult result) {
        return switch (result) {
            case Compared compared ->
                compared.verdict() == Verdict.NO_DIFFERENCE
                        ? "no difference that this machine can show"
                        : verdictWord(compared);
            case NotEnoughData data -> "not enough data";
            case NotMeasured not -> "not measured";
        };
    }

    private static String verdictWord(Compared result) {
        boolean cpu = result.figure() == Figure.CPU_PER_REQUEST;
        return result.verdict() == Verdict.FASTER ? (cpu ? "cheaper" : "faster") : cpu ? "dearer" : "slower";
    }

    /** A figure's name with the rate it was measured at, its first letter a capital. */
    static String title(Figure figure, @Nullable Double ratePerSecond) {
        String label = figure.label().substring(0, 1).toUpperCase(Locale.ROOT)
                + figure.label().substring(1);
        return figure == Figure.CAPACITY || ratePerSecond == null
                ? label
                : String.format(Locale.ROOT, "%s at %,.0f/s", label, ratePerSecond);
    }

    /** A value with its unit, three significant digits or all before the point. */
    static String value(Figure figure, double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value) + figure.unit();
    }

    static String change(Compared result) {
        return String.format(Locale.ROOT, "%+.1f %%", 100 * result.change());
    }

    static String interval(Compared result) {
        return String.format(Locale.ROOT, "%+.1f to %+.1f %%", 100 * result.low(), 100 * result.high());
    }

    static String floor(Compared result) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * result.floor());
    }

    static String schedule(CompareResult result) {
        return result.schedule()
                + (result.restarted() ? ", each restarted and warmed" : ", not restarted")
                + String.format(
                        Locale.ROOT,
                        "; %.0f s a measurement, seed %d, %.0f s in all",
                        result.settings().time().toMillis() / 1e3,
                        result.settings().seed(),
                        result.tookSeconds());
    }

    static String machine(CompareResult result) {
        return result.machine().cpuModel() + ", " + result.machine().cpus() + " CPUs, "
                + result.machine().os() + ", " + result.machine().jdk();
    }

    /** One run's figures in a line. */
    static String line(CompareRun run) {
        return Stream.of(Figure.values())
                .map(figure -> of(run, figure))
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String of(CompareRun run, Figure figure) {
        Double value = run.figures().get(figure.id());
        return value == null ? null : figure.label() + " " + value(figure, value);
    }

    /** What the runs so far, all of A, differ by. */
    static String floors(List<MeasuredRun> runs) {
        return Stream.of(Figure.values())
                .map(figure -> floor(runs, figure))
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String floor(List<MeasuredRun> runs, Figure figure) {
        double[] logs = runs.stream()
                .map(run -> run.series().get(figure))
                .filter(Objects::nonNull)
                .mapToDouble(RunSeries::log)
                .toArray();
        return logs.length < 2
                ? null
                : String.format(Locale.ROOT, "%s %.1f %%", figure.label(), 100 * Inference.floor(logs));
    }

    private static List<String> table(CompareResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "figure",
                "A: " + shortened(result.a().name()),
                "B: " + shortened(result.b().name()),
                "change",
                "95 % interval",
                "A/A floor",
                "verdict"));
        result.figures().forEach(figure -> rows.add(row(figure, result.ratePerSecond())));
        return aligned(rows);
    }

    private static List<String> row(FigureResult result, @Nullable Double ratePerSecond) {
        String title = title(result.figure(), ratePerSecond);
        return result instanceof Compared compared
                ? List.of(
                        title,
                        value(compared.figure(), compared.a()),
                        value(compared.figure(), compared.b()),
                        change(compared),
                        interval(compared),
                        floor(compared),
                        verdict(compared))
                : List.of(title, NONE, NONE, NONE, NONE, NONE, verdict(result));
    }

    private static String shortened(String name) {
        return name.length() <= NAME_WIDTH ? name : name.substring(0, NAME_WIDTH - 3) + "...";
    }

    private static List<String> aligned(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        return rows.stream().map(row -> aligned(row, widths)).toList();
    }

    private static String aligned(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean words = i == 0 || i == widths.length - 1;
            String padding = " ".repeat(widths[i] - row.get(i).length());
            line.append(words ? row.get(i) + padding : padding + row.get(i)).append("  ");
        }
        return line.toString().stripTrailing();
    }

    private CompareText() {}
}
