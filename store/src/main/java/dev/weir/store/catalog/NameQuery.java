package dev.weir.store.catalog;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a person types into a search box, as a text search query of PostgreSQL. */
final class NameQuery {

    private static final Pattern NOT_A_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

    private NameQuery() {}

    /**
     * Each word must begin a word of the name, in any order: {@code "wire head"} finds "Wireless Headphones".
     *
     * @return a tsquery in which nothing of the input can act as an operator; empty when the input holds no word
     */
    static String of(String typed) {
        return NOT_A_WORD
                .splitAsStream(typed.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .map(word -> "'" + word + "':*")
                .collect(Collectors.joining(" & "));
    }
}
