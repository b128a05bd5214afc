package dev.weir.core.express;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which representation a request wants: proactive negotiation by Accept and Accept-Encoding (RFC 9110, sections 12.5.1
 * and 12.5.3). The most specific range that covers a type decides about it; among the types with the highest quality the
 * route's first wins. Elements that are not understood count as not there.
 */
final class Negotiation {

    static final int NOT_ACCEPTABLE = -1;

    private Negotiation() {}

    /**
     * The index of the wanted type, or {@link #NOT_ACCEPTABLE}. Without any Accept it is the first, and so it is where all of
     * them are empty: their syntax allows that (RFC 9110, section 5.6.1.2), and a list of nothing excludes nothing.
     */
    static int representation(List<String> mediaTypes, List<String> accepts) {
        if (accepts.stream().allMatch(Negotiation::isEmptyList)) {
            return 0;
        }
        int best = NOT_ACCEPTABLE;
        double bestQuality = 0;
        for (int i = 0; i < mediaTypes.size(); i++) {
            double quality = quality(mediaTypes.get(i), accepts);
            if (quality > bestQuality) {
                best = i;
                bestQuality = quality;
            }
        }
        return best;
    }

    private static boolean isEmptyList(String header) {
        return header.chars().allMatch(c -> c == ',' || c == ' ' || c == '\t');
    }

    /** Whether gzip may be sent and is not less wanted than the plain bytes. */
    static boolean gzip(List<String> acceptEncodings) {
        double gzip = codingQuality("gzip", acceptEncodings);
        double alias = codingQuality("x-gzip", acceptEncodings);
        double any = codingQuality("*", acceptEncodings);
        double identity = codingQuality("identity", acceptEncodings);
        double wanted = gzip >= 0 ? gzip : alias >= 0 ? alias : any;
        return wanted > 0 && wanted >= identity;
    }

    private static double quality(String mediaType, List<String> accepts) {
        String wholeType = mediaType.substring(0, mediaType.indexOf('/')) + "/*";
        int specificity = -1;
        double quality = 0;
        for (String accept : accepts) {
            for (String element : accept.split(",", -1)) {
                String range = name(element);
                int level = range.equals(mediaType) ? 2 : range.equals(wholeType) ? 1 : range.equals("*/*") ? 0 : -1;
                Double q = q(element);
                if (level > specificity && q != null) {
                    specificity = level;
                    quality = q;
                }
            }
        }
        return quality;
    }

    /** The coding's quality, or -1 where it is not listed. */
    private static double codingQuality(String coding, List<String> acceptEncodings) {
        for (String header : acceptEncodings) {
            for (String element : header.split(",", -1)) {
                Double q = q(element);
                if (name(element).equals(coding) && q != null) {
                    return q;
                }
            }
        }
        return -1;
    }

    private static String name(String element) {
        int parameters = element.indexOf(';');
        return (parameters < 0 ? element : element.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    private static @Nullable Double q(String element) {
        String[] parts = element.split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.startsWith("q=") || part.startsWith("Q=")) {
                return weight(part.substring(2));
            }
        }
        return 1.0;
    }

    private static @Nullable Double weight(String text) {
        return text.matches("0(\\.\\d{0,3})?|1(\\.0{0,3})?") ? Double.valueOf(text) : null;
    }
}
