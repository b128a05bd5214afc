package dev.weir.core.express;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** A header that a route adds to every answer. */
record RouteHeader(String name, String value) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]*[!-~])?");
    private static final Set<String> OWNED = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "content-language",
            "date",
            "etag",
            "keep-alive",
            "server",
            "set-cookie",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "vary",
            "cache-control");

    RouteHeader {
        if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("The header '" + name + ": " + value + "' of an express route has a"
                    + " character that HTTP does not allow there; use printable ASCII.");
        }
    }

    /** A header of the application's choice. */
    static RouteHeader declared(String name, String value) {
        if (OWNED.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "The header " + name + " cannot be declared on an express route: it is set"
                            + " by the route or the server, or would make a shared answer personal.");
        }
        return new RouteHeader(name, value);
    }
}
