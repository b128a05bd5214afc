package dev.weir.lab.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One plot as the page's script draws it. What it shows is also said in words and, where it is short enough, as a table.
 *
 * @param groups lines by the x values they share; the first holds what the plot is about
 * @param bands ranges of x, shaded and labelled
 * @param limits values of y, drawn as a dashed line across
 * @param sync plots with the same name share their cursor and can be zoomed; null for none
 */
record Plot(
        String id,
        @JsonIgnore String title,
        @JsonIgnore String caption,
        Axis x,
        Axis y,
        List<Group> groups,
        List<Band> bands,
        List<Limit> limits,
        @Nullable String sync) {

    private static final int LONGEST_TABLE = 60;

    enum Scale {
        LINEAR,
        LOG,
        /** x = 1 / (1 - p), logarithmic. */
        PERCENTILE;

        @JsonValue
        String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    record Axis(String label, String unit, Scale scale) {
        private String format(@Nullable Double value) {
            String number = Figures.number(value);
            return unit.startsWith("/") || unit.isEmpty() || value == null ? number + unit : number + " " + unit;
        }
    }

    /** @param open places in {@code x} of steps that were not sustained */
    record Group(List<Double> x, List<Integer> open, List<Series> series) {}

    /** @param style a name of the script's table of styles */
    record Series(String label, String style, boolean markers, List<@Nullable Double> y) {
        Series {
            y = Collections.unmodifiableList(new ArrayList<>(y));
        }

        private boolean measured() {
            return y.stream().anyMatch(Objects::nonNull);
        }
    }

    /** @param to null for a band without end */
    record Band(double from, @Nullable Double to, String label, String style) {}

    record Limit(double at, String label) {}

    @JsonIgnore
    boolean measured() {
        return !groups.isEmpty() && groups.getFirst().series.stream().anyMatch(Series::measured);
    }

    /** The figure with its place for the canvas, its words and its table; a note where nothing was measured. */
    Html figure() {
        String titleId = id + "-title";
        Html heading = Html.element("h3 id=\"" + titleId + "\"", title);
        if (!measured()) {
            Html note = Html.element("div class=\"empty\"", "Not measured in this run.");
            return Html.element("figure", heading, note, Html.element("figcaption", caption));
        }
        Html canvas = Html.element("div class=\"canvas\" tabindex=\"0\" role=\"img\" aria-label=\""
                + Html.text(title + ". " + summary()).markup() + "\"");
        return Html.join(
                Html.element(
                        "figure id=\"plot-" + id + "\" aria-labelledby=\"" + titleId + "\"",
                        heading,
                        canvas,
                        Html.element("div class=\"legend\""),
                        Html.element("p class=\"readout\" aria-live=\"polite\""),
                        Html.element("figcaption", caption),
                        table()),
                new Html("\n"));
    }

    private Html table() {
        Group group = groups.getFirst();
        if (group.x.size() > LONGEST_TABLE || x.scale == Scale.PERCENTILE) {
            return Html.EMPTY;
        }
        Table table = new Table(title).number(x.label, x.unit);
        group.series.forEach(series -> table.number(series.label, y.unit));
        for (int i = 0; i < group.x.size(); i++) {
            List<Html> row = new ArrayList<>();
            row.add(Html.text(Figures.number(group.x.get(i))));
            for (Series series : group.series) {
                row.add(Html.text(Figures.number(series.y.get(i))));
            }
            table.row(row);
        }
        return Html.element("details", Html.element("summary", "Figures of this plot"), table.render());
    }

    private String summary() {
        return groups.stream()
                .flatMap(group -> group.series.stream()
                        .filter(Series::measured)
                        .map(series -> series.label + ": " + course(group, series)))
                .collect(Collectors.joining("; ", "", "."));
    }

    /** Where a line starts, ends, and is highest. */
    private String course(Group group, Series series) {
        int first = -1;
        int last = -1;
        int highest = -1;
        double peak = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < series.y.size(); i++) {
            Double value = series.y.get(i);
            if (value != null) {
                first = first < 0 ? i : first;
                last = i;
                highest = value > peak ? i : highest;
                peak = Math.max(peak, value);
            }
        }
        String course = point(group, series, first);
        if (last != first) {
            course += " to " + point(group, series, last);
        }
        return highest == first || highest == last ? course : course + ", highest " + point(group, series, highest);
    }

    private String point(Group group, Series series, int place) {
        double at = group.x.get(place);
        String where = x.scale == Scale.PERCENTILE ? Figures.number(100 - 100 / at) + " %" : x.format(at);
        return y.format(series.y.get(place)) + " at " + where;
    }
}
