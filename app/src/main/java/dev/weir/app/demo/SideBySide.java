package dev.weir.app.demo;

import dev.weir.lab.report.BeforeAfter;
import dev.weir.lab.report.Comparison;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Before and after as a text table. */
final class SideBySide {
    private static final String LINE = "%-42s %20s %20s %10s%n";

    static void write(PrintWriter out, Comparison comparison) {
        out.println("== before and after: " + comparison.change() + " ==");
        out.println(BeforeAfter.sentence(comparison));
        out.println();
        out.printf(Locale.ROOT, LINE, "", "before", "after", "ratio");
        List<BeforeAfter.Row> rows = BeforeAfter.rows(comparison);
        rows.forEach(row -> out.printf(Locale.ROOT, LINE, row.figure(), row.before(), row.after(), row.ratio()));
    }

    private SideBySide() {}
}
