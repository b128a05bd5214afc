package dev.weir.core.express;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A path with at most one variable segment, such as {@code /api/v2/products/{id}}; matched as text or as ASCII bytes. */
final class PathTemplate {

    private static final Pattern TEMPLATE = Pattern.compile(
            "((?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?)(?:\\{[A-Za-z][A-Za-z0-9]*}((?:/[A-Za-z0-9._~-]+)*))?");

    private final String template;
    private final String prefix;
    private final String suffix;
    private final boolean variable;
    private final byte[] prefixBytes;
    private final byte[] suffixBytes;

    PathTemplate(String template) {
        var parts = TEMPLATE.matcher(template);
        if (!parts.matches()
                || template.isEmpty()
                || (parts.group(2) != null && !parts.group(1).endsWith("/"))) {
            throw new IllegalArgumentException("The path '" + template + "' of an express route is not understood; it"
                    + " starts with a slash and has at most one variable, a whole segment, such as /products/{id}.");
        }
        this.template = template;
        prefix = parts.group(1);
        variable = parts.group(2) != null;
        suffix = variable ? parts.group(2) : "";
        prefixBytes = prefix.getBytes(StandardCharsets.US_ASCII);
        suffixBytes = suffix.getBytes(StandardCharsets.US_ASCII);
    }

    /** The variable's text, empty for a template without one; null where the path does not match. */
    @Nullable
    String variableOf(String path) {
        if (!variable) {
            return path.equals(prefix) ? "" : null;
        }
        int end = path.length() - suffix.length();
        if (end <= prefix.length() || !path.startsWith(prefix) || !path.endsWith(suffix)) {
            return null;
        }
        String found = path.substring(prefix.length(), end);
        return found.indexOf('/') < 0 ? found : null;
    }

    /** As {@link #variableOf(String)}, for a path in ASCII bytes; allocates only what it returns. */
    @Nullable
    String variableOf(byte[] bytes, int from, int to) {
        int start = from + prefixBytes.length;
        int end = to - suffixBytes.length;
        if (variable ? end <= start : end != start) {
            return null;
        }
        if (!Bytes.equal(prefixBytes, bytes, from, start) || !Bytes.equal(suffixBytes, bytes, end, to)) {
            return null;
        }
        for (int i = start; i < end; i++) {
            if (bytes[i] == '/') {
                return null;
            }
        }
        return variable ? new String(bytes, start, end - start, StandardCharsets.ISO_8859_1) : "";
    }

    @Override
    public String toString() {
        return template;
    }
}
