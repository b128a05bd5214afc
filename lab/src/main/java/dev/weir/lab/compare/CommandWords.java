package dev.weir.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Splits a command line into words as a shell does, without expanding anything: blanks separate; single quotes keep all
 * they hold; in double quotes and outside, a backslash keeps the next character.
 */
public final class CommandWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./{}-]+");

    private final String line;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    private CommandWords(String line) {
        this.line = line;
    }

    /**
     * The words of a line.
     *
     * @throws IllegalArgumentException with one sentence, if a quote is not closed or nothing follows a backslash
     */
    public static List<String> of(String line) {
        return new CommandWords(line).split();
    }

    /** The word as it could stand in a shell's line. */
    static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The words as they could stand in a shell's line. */
    static String joined(List<String> words) {
        return words.stream().map(CommandWords::quoted).collect(Collectors.joining(" "));
    }

    private List<String> split() {
        while (at < line.length()) {
            char next = line.charAt(at++);
            if (Character.isWhitespace(next)) {
                endWord();
            } else {
                inWord = true;
                take(next);
            }
        }
        endWord();
        return List.copyOf(words);
    }

    private void take(char next) {
        switch (next) {
            case '\'' -> takeSingleQuoted();
            case '"' -> takeDoubleQuoted();
            case '\\' -> word.append(escaped());
            default -> word.append(next);
        }
    }

    private void takeSingleQuoted() {
        int end = line.indexOf('\'', at);
        if (end < 0) {
            throw notClosed("'");
        }
        word.append(line, at, end);
        at = end + 1;
    }

    private void takeDoubleQuoted() {
        while (at < line.length()) {
            char next = line.charAt(at++);
            if (next == '"') {
                return;
            }
            word.append(next == '\\' ? escaped() : next);
        }
        throw notClosed("\"");
    }

    private char escaped() {
        if (at == line.length()) {
            throw new IllegalArgumentException(
                    "nothing follows the backslash at the end of: " + line + "; double it or leave it out");
        }
        return line.charAt(at++);
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }

    private IllegalArgumentException notClosed(String quote) {
        return new IllegalArgumentException("a " + quote + " is not closed in: " + line);
    }
}
