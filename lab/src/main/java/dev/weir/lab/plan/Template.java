package dev.weir.lab.plan;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Text with places for values, taken apart once.
 *
 * <p>{@code {name}} is a place: a name of letters, digits, '-' and '_' right between one pair of braces. No valid JSON
 * holds that, so bodies need no escaping; whoever needs it literally doubles the braces: {@code {{name}}} is sent as
 * {@code {name}}. All other braces stand for themselves.
 *
 * @param charset how literal text becomes bytes
 */
record Template(List<Part> parts, Charset charset) {

    private static final String NAME = "[A-Za-z][A-Za-z0-9_-]*";
    private static final Pattern PLACE = Pattern.compile("\\{\\{(" + NAME + ")\\}\\}|\\{(" + NAME + ")\\}");

    /** A piece of a template. */
    sealed interface Part {
        /** Sent as it stands. */
        record Literal(String text) implements Part {}

        /** Replaced by the value of that name. */
        record Place(String name) implements Part {}
    }

    Template {
        parts = List.copyOf(parts);
    }

    /** Text without places: braces stand for themselves. */
    static Template literal(String text) {
        return new Template(List.of(new Part.Literal(text)), StandardCharsets.UTF_8);
    }

    /** Bytes without places. */
    static Template bytes(byte[] content) {
        // ISO 8859-1 maps each byte to the character of the same number and back, so that nothing is lost.
        Charset oneToOne = StandardCharsets.ISO_8859_1;
        return new Template(List.of(new Part.Literal(new String(content, oneToOne))), oneToOne);
    }

    static Template parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        Matcher place = PLACE.matcher(text);
        int end = 0;
        while (place.find()) {
            literal.append(text, end, place.start());
            end = place.end();
            if (place.group(1) != null) {
                literal.append('{').append(place.group(1)).append('}');
            } else {
                addLiteral(parts, literal);
                parts.add(new Part.Place(place.group(2)));
            }
        }
        addLiteral(parts, literal.append(text, end, text.length()));
        return new Template(parts, StandardCharsets.UTF_8);
    }

    private static void addLiteral(List<Part> parts, StringBuilder literal) {
        if (!literal.isEmpty()) {
            parts.add(new Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    /** Whether the text can be the name of a value. */
    static boolean isName(String text) {
        return text.matches(NAME);
    }

    /** The names it has places for, in the order of their first place. */
    List<String> names() {
        return parts.stream()
                .flatMap(part -> part instanceof Part.Place(String name) ? Stream.of(name) : Stream.of())
                .distinct()
                .toList();
    }

    /** Its literal text, in order. */
    Stream<String> literals() {
        return parts.stream()
                .flatMap(part -> part instanceof Part.Literal(String text) ? Stream.of(text) : Stream.of());
    }
}
