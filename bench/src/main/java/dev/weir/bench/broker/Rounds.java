package dev.weir.bench.broker;

import dev.weir.bench.jmh.Scores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What several runs of several variants measured, in the order of their first runs.
 *
 * @param <R> figures of a run
 */
public final class Rounds<R> {
    private final Map<String, List<R>> runs = new LinkedHashMap<>();

    /** Forth in even rounds, back in odd ones, so that a drift of the machine meets all alike. */
    public static List<String> order(List<String> variants, int round) {
        return round % 2 == 0 ? variants : variants.reversed();
    }

    /** One more run of a variant. */
    public void add(String variant, R run) {
        runs.computeIfAbsent(variant, ignored -> new ArrayList<>()).add(run);
    }

    /** The variants that have run. */
    public Set<String> variants() {
        return runs.keySet();
    }

    /** The median of a figure. */
    public double median(String variant, Function<R, Double> figure) {
        return scores(variant, figure).median();
    }

    /** A figure in all runs of a variant. */
    public Scores scores(String variant, Function<R, Double> figure) {
        return new Scores(
                runs.getOrDefault(variant, List.of()).stream().map(figure).toList());
    }
}
