package dev.weir.core.express;

import java.util.Locale;
import java.util.regex.Pattern;

/** One media type a route answers in. */
record Representation<V>(String contentType, BodyEncoder<? super V> encoder) {

    private static final Pattern TYPE =
            Pattern.compile("[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+(;charset=[A-Za-z0-9_-]+)?");

    Representation {
        if (!TYPE.matcher(contentType).matches()) {
            throw new IllegalArgumentException("An express route cannot answer in '" + contentType
                    + "'; write a media type in lower case, such as application/json or text/plain;charset=UTF-8.");
        }
    }

    /** Type and subtype, without parameters. */
    String mediaType() {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters)).toLowerCase(Locale.ROOT);
    }
}
