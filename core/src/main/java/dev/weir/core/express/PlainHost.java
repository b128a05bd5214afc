package dev.weir.core.express;

/**
 * Host values that are valid beyond doubt: names whose labels begin with a letter, dotted IPv4 addresses, each with an
 * optional port. Others, IPv6 literals among them, are Tomcat's to judge.
 */
final class PlainHost {

    private PlainHost() {}

    static boolean is(byte[] bytes, int from, int to) {
        int colon = from;
        while (colon < to && bytes[colon] != ':') {
            colon++;
        }
        boolean port = colon == to || isPort(bytes, colon + 1, to);
        return port && colon > from && (isDigit(bytes[from]) ? isIpv4(bytes, from, colon) : isName(bytes, from, colon));
    }

    private static boolean isPort(byte[] bytes, int from, int to) {
        if (to == from || to - from > 5) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (!isDigit(bytes[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIpv4(byte[] bytes, int from, int to) {
        int octets = 0;
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == '.') {
                if (!isOctet(bytes, start, i)) {
                    return false;
                }
                octets++;
                start = i + 1;
            }
        }
        return octets == 4;
    }

    private static boolean isOctet(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < 1 || length > 3 || (length > 1 && bytes[from] == '0')) {
            return false;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            if (!isDigit(bytes[i])) {
                return false;
            }
            value = value * 10 + bytes[i] - '0';
        }
        return value <= 255;
    }

    private static boolean isName(byte[] bytes, int from, int to) {
        byte previous = '.';
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            boolean allowed = previous == '.' ? isLetter(b) : isLetter(b) || isDigit(b) || b == '-' || b == '.';
            if (!allowed || (b == '.' && previous == '-')) {
                return false;
            }
            previous = b;
        }
        return previous != '.' && previous != '-';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isLetter(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
    }
}
