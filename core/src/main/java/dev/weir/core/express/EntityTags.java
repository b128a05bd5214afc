package dev.weir.core.express;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Strong entity tags and If-None-Match (RFC 9110, sections 8.8.3 and 13.1.2). A tag is made of the body's bytes, so every
 * instance of a service gives the same body the same tag.
 */
final class EntityTags {

    private static final String GZIP_SUFFIX = "-gzip\"";

    private EntityTags() {}

    /** The tag of a body in its plain form, quotes included. */
    static String of(byte[] body) {
        byte[] digest = Arrays.copyOf(sha256(body), 16);
        return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + '"';
    }

    /** The tag of the same body compressed: different bytes need a different tag. */
    static String gzipped(String tag) {
        return tag.substring(0, tag.length() - 1) + GZIP_SUFFIX;
    }

    /** Whether If-None-Match names the tag, by weak comparison; then the answer is 304. */
    static boolean matches(List<String> ifNoneMatch, String tag) {
        for (String header : ifNoneMatch) {
            if (header.strip().equals("*") || names(header, tag)) {
                return true;
            }
        }
        return false;
    }

    private static boolean names(String header, String tag) {
        int at = 0;
        while (at < header.length()) {
            int open = header.indexOf('"', at);
            int close = open < 0 ? -1 : header.indexOf('"', open + 1);
            if (close < 0) {
                return false;
            }
            if (header.substring(open, close + 1).equals(tag)) {
                return true;
            }
            at = close + 1;
        }
        return false;
    }

    /** Whether the bytes are one strong tag and nothing else, so that comparing for equality is enough. */
    static boolean isOneTag(byte[] bytes, int from, int to) {
        if (to - from < 2 || bytes[from] != '"' || bytes[to - 1] != '"') {
            return false;
        }
        for (int i = from + 1; i < to - 1; i++) {
            if (bytes[i] == '"' || bytes[i] <= ' ') {
                return false;
            }
        }
        return true;
    }

    private static byte[] sha256(byte[] body) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(body);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("This JVM has no SHA-256, which every Java platform must have.", missing);
        }
    }
}
