package dev.weir.lab.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A piece of markup that is safe to place between tags or in a quoted attribute. Text from outside becomes one only
 * through {@link #text}, which escapes it, so a page cannot be assembled from unescaped text by mistake.
 */
record Html(String markup) {

    static final Html EMPTY = new Html("");

    /** Escapes text for element content and quoted attributes; control characters become U+FFFD. */
    static Html text(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.chars().forEach(character -> escape((char) character, escaped));
        return new Html(escaped.toString());
    }

    private static void escape(char character, StringBuilder into) {
        switch (character) {
            case '&' -> into.append("&amp;");
            case '<' -> into.append("&lt;");
            case '>' -> into.append("&gt;");
            case '"' -> into.append("&quot;");
            case '\'' -> into.append("&#39;");
            case '\n', '\t' -> into.append(character);
            default -> into.append(Character.isISOControl(character) ? '\uFFFD' : character);
        }
    }

    /** {@code tag} may carry attributes made of constants. */
    static Html element(String tag, Html... content) {
        String name = tag.split(" ", 2)[0];
        return new Html("<" + tag + ">" + join(content).markup + "</" + name + ">");
    }

    static Html element(String tag, String text) {
        return element(tag, text(text));
    }

    static Html join(Html... parts) {
        return join(Arrays.asList(parts));
    }

    static Html join(Collection<Html> parts) {
        return new Html(parts.stream().map(Html::markup).collect(Collectors.joining()));
    }

    /** One entry of a {@code dl}. */
    static Html fact(String name, Html value) {
        return join(element("dt", name), element("dd", value));
    }

    static Html fact(String name, String value) {
        return fact(name, text(value));
    }

    /** A list of texts; nothing where there is none. */
    static Html list(Collection<String> items) {
        Html entries = join(items.stream().map(item -> element("li", item)).toList());
        return items.isEmpty() ? EMPTY : element("ul", entries);
    }
}
