package dev.weir.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text files from the class path, with places of the form <code>{{name}}</code> to fill. */
final class Template {

    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");

    /**
     * Fills every place of this package's resource. One pass, so braces inside a value stay as they are.
     *
     * @throws IllegalArgumentException where the template has a place without a value
     */
    static Html fill(String resource, Map<String, Html> values) {
        Matcher matcher = PLACE.matcher(read("/dev/weir/lab/report/" + resource));
        return new Html(matcher.replaceAll(place ->
                Matcher.quoteReplacement(value(resource, place.group(1), values).markup())));
    }

    private static Html value(String resource, String name, Map<String, Html> values) {
        Html value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    resource + " has a place {{" + name + "}} and no value was given for it");
        }
        return value;
    }

    /** The text of a resource on the class path. */
    static String read(String path) {
        try (InputStream in = Template.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    private Template() {}
}
