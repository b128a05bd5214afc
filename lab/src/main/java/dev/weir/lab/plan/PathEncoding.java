package dev.weir.lab.plan;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoding of path and query, RFC 3986, sections 2.1 and 3.3. */
final class PathEncoding {
    private static final String ALLOWED = "-._~!$&'()*+,;=:@/?%";
    private static final String ALLOWED_IN_VALUE = "-._~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /**
     * Encodes what may not stand in a request line; what is encoded already ({@code %20}) stays as it is.
     *
     * @throws PlanException if it holds a control character
     */
    static String encode(String path) {
        int control = control(path);
        if (control >= 0) {
            throw new PlanException("path '" + path.replaceAll("\\p{Cntrl}", "?")
                    + "' holds a control character at position " + (control + 1) + ": leave it out, or write it as %"
                    + HEX.toHexDigits((byte) path.charAt(control)));
        }
        return encode(path, ALLOWED);
    }

    /** Encodes a value that stands for one segment or one query value: separators are encoded as well. */
    static String encodeValue(String value) {
        return encode(value, ALLOWED_IN_VALUE);
    }

    private static int control(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (Character.isISOControl(path.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private static String encode(String text, String allowed) {
        StringBuilder encoded = new StringBuilder(text.length() + 8);
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < octets.length; i++) {
            char c = (char) (octets[i] & 0xff);
            if (c < 0x80 && isAllowed(c, allowed) && (c != '%' || isEscape(octets, i))) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX.toHexDigits(octets[i]));
            }
        }
        return encoded.toString();
    }

    private static boolean isAllowed(char c, String allowed) {
        return Character.isLetterOrDigit(c) || allowed.indexOf(c) >= 0;
    }

    private static boolean isEscape(byte[] octets, int at) {
        return at + 2 < octets.length && HexFormat.isHexDigit(octets[at + 1]) && HexFormat.isHexDigit(octets[at + 2]);
    }

    private PathEncoding() {}
}
