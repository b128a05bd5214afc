package dev.weir.lab.plan;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/** Finds what a misspelt word was meant to be. */
final class Spelling {
    private static final int MOST_EDITS = 2;

    /** {@code " (did you mean 'x'?)"} where one of the words is close, else nothing. */
    static String hint(String written, Collection<String> words) {
        return words.stream()
                .filter(word -> edits(written, word) <= Math.min(MOST_EDITS, word.length() - 1))
                .min(Comparator.comparingInt((String word) -> edits(written, word))
                        .thenComparing(word -> word))
                .map(word -> " (did you mean '" + word + "'?)")
                .orElse("");
    }

    /** Letters to insert, delete or replace to get from one to the other: Levenshtein's distance, row by row. */
    private static int edits(String from, String to) {
        int[] above = new int[to.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[to.length()];
    }

    private Spelling() {}
}
