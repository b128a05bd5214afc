package dev.weir.bench.jmh;

import java.util.List;
import java.util.Locale;

/** The scores of all measured iterations of one variant, in the unit of its bench. */
public record Scores(List<Double> values) {

    /** Sorts; refuses none at all. */
    public Scores {
        values = values.stream().sorted().toList();
        if (values.isEmpty()) {
            throw new IllegalArgumentException("A variant has no score: the bench did not run.");
        }
    }

    /** The middle one, or the mean of the two in the middle. */
    public double median() {
        int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }

    /** The lowest and the highest, as a table shows them. */
    public String range() {
        return String.format(Locale.ROOT, "%,.0f to %,.0f", values.getFirst(), values.getLast());
    }

    /** The median, and in brackets the lowest and the highest, each with this many digits behind the point. */
    public String figures(int digits) {
        String number = "%,." + digits + "f";
        return String.format(
                Locale.ROOT,
                number + " (" + number + " to " + number + ")",
                median(),
                values.getFirst(),
                values.getLast());
    }
}
