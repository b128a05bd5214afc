package dev.weir.core.express;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The request headers that the port lane knows, found by their name in bytes. Immutable. */
final class LaneHeaders {

    /** What a header does to the answer. */
    enum Kind {
        /** It is not known: the request goes the normal way. */
        UNKNOWN(0),
        /** Nothing. */
        HARMLESS(0),
        HOST(1),
        ACCEPT(2),
        ACCEPT_ENCODING(4),
        CONNECTION(8),
        IF_NONE_MATCH(16);

        /** Set in a mask once the header was seen; 0 for those that may repeat. */
        final int bit;

        Kind(int bit) {
            this.bit = bit;
        }
    }

    // The filter lane looks at none of these either, so both lanes answer alike.
    private static final List<String> HARMLESS = List.of(
            "user-agent",
            "accept-language",
            "accept-charset",
            "cache-control",
            "pragma",
            "referer",
            "priority",
            "dnt",
            "sec-gpc",
            "save-data",
            "upgrade-insecure-requests",
            "sec-fetch-site",
            "sec-fetch-mode",
            "sec-fetch-dest",
            "sec-fetch-user",
            "sec-ch-ua",
            "sec-ch-ua-mobile",
            "sec-ch-ua-platform",
            "via",
            "x-real-ip",
            "x-request-id",
            "x-correlation-id",
            "traceparent",
            "tracestate",
            "baggage",
            "b3",
            "x-b3-traceid",
            "x-b3-spanid",
            "x-b3-sampled");

    /** What a proxy in front tells; harmless as long as nothing in the server acts on it. */
    private static final List<String> FORWARDED = List.of(
            "forwarded",
            "x-forwarded-for",
            "x-forwarded-proto",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-prefix",
            "x-forwarded-server",
            "x-forwarded-scheme",
            "x-scheme");

    private static final class Known {
        private final byte[] name;
        private final Kind kind;

        Known(byte[] name, Kind kind) {
            this.name = name;
            this.kind = kind;
        }
    }

    private final Known[][] byLength;

    /**
     * @param more further names that do not change the answer, in any case
     * @param forwardedIsHarmless whether the headers of proxies are among them
     */
    LaneHeaders(Collection<String> more, boolean forwardedIsHarmless) {
        List<Known> known = new ArrayList<>();
        known.add(known("host", Kind.HOST));
        known.add(known("accept", Kind.ACCEPT));
        known.add(known("accept-encoding", Kind.ACCEPT_ENCODING));
        known.add(known("connection", Kind.CONNECTION));
        known.add(known("if-none-match", Kind.IF_NONE_MATCH));
        HARMLESS.forEach(name -> known.add(known(name, Kind.HARMLESS)));
        more.forEach(name -> known.add(known(name.toLowerCase(Locale.ROOT), Kind.HARMLESS)));
        if (forwardedIsHarmless) {
            FORWARDED.forEach(name -> known.add(known(name, Kind.HARMLESS)));
        }
        int longest = known.stream().mapToInt(k -> k.name.length).max().orElse(0);
        byLength = new Known[longest + 1][];
        for (int length = 0; length <= longest; length++) {
            int wanted = length;
            byLength[length] =
                    known.stream().filter(k -> k.name.length == wanted).toArray(Known[]::new);
        }
    }

    /** The kind of the header named in {@code bytes[from, to)}. */
    Kind kind(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length >= byLength.length) {
            return Kind.UNKNOWN;
        }
        for (Known known : byLength[length]) {
            if (Bytes.equalIgnoringCase(known.name, bytes, from, to)) {
                return known.kind;
            }
        }
        return Kind.UNKNOWN;
    }

    private static Known known(String name, Kind kind) {
        return new Known(name.getBytes(StandardCharsets.US_ASCII), kind);
    }
}
