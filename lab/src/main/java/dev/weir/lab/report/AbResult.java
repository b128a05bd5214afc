package dev.weir.lab.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an A/B run as its page shows it: figures already in words and units.
 *
 * @param sentence the answer in one sentence
 * @param a what A is, for example its command
 * @param b what B is
 * @param rows one for each figure, most important first
 * @param conditions how it was measured: name and value, in the order to show
 * @param notes what a reader must know before believing the figures, each as a sentence
 */
public record AbResult(
        String sentence,
        String a,
        String b,
        List<Row> rows,
        SequencedMap<String, String> conditions,
        List<String> notes) {

    /**
     * One figure of both sides.
     *
     * @param figure what it is, with its unit
     * @param change B against A, for example {@code +12 %}; null where there is none to state
     * @param interval the interval of the change; null where there is none
     * @param verdict faster, slower, or no difference that this machine can show
     */
    public record Row(
            String figure,
            String a,
            String b,
            @Nullable String change,
            @Nullable String interval,
            String verdict) {}

    public AbResult {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
        conditions = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(conditions));
    }
}
