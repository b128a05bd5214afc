package dev.weir.core.express;

import dev.weir.core.express.LaneHeaders.Kind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Recognises one complete, plain request in a buffer, or says why it is none.
 *
 * <p>This is not a second HTTP parser beside Tomcat's: it recognises a small regular language and decides nothing about
 * what lies outside it. Every string of that language is one whole GET or HEAD without a body under any reading of RFC 9112
 * (line ends are CRLF and nothing else, one space between the parts, no folding, no control or non-ASCII byte, no repeated
 * header that matters, no header it does not know), and the buffer ends where the request ends. Two parsers can only
 * disagree, which is what smuggling needs, about strings outside; and those are parsed by Tomcat alone, from the first
 * byte.
 *
 * <p>One thread uses an instance; positions are valid until the next call.
 */
final class LaneRequest {

    private static final byte[] GET = bytes("GET ");
    private static final byte[] HEAD = bytes("HEAD ");
    private static final byte[] VERSION = bytes(" HTTP/1.1\r\n");
    private static final byte[] KEEP_ALIVE = bytes("keep-alive");
    private static final boolean[] PLAIN_PATH = plainPath();

    private final LaneHeaders headers;
    private final int maxHeaders;

    boolean head;
    boolean keepAliveAsked;
    int pathFrom;
    int pathTo;
    /** Where a value begins, 0 where the header is not there. */
    int acceptFrom;

    int acceptTo;
    int acceptEncodingFrom;
    int acceptEncodingTo;
    int ifNoneMatchFrom;
    int ifNoneMatchTo;

    private int at;
    private int seen;

    /** @param maxHeaders with more than these a request goes the normal way */
    LaneRequest(LaneHeaders headers, int maxHeaders) {
        this.headers = headers;
        this.maxHeaders = maxHeaders;
    }

    /** Null where {@code bytes[0, end)} is exactly one plain request, else why it is not. */
    @Nullable
    PassedOn recognise(byte[] bytes, int end) {
        reset();
        PassedOn passed = requestLine(bytes, end);
        for (int count = 0; passed == null && at < end && bytes[at] != '\r'; count++) {
            passed = count < maxHeaders ? header(bytes, end) : PassedOn.HEADER;
        }
        return passed != null ? passed : lastLine(bytes, end);
    }

    /** Bytes of the request that was recognised. */
    int length() {
        return at + 2;
    }

    private void reset() {
        head = false;
        keepAliveAsked = false;
        acceptFrom = 0;
        acceptEncodingFrom = 0;
        ifNoneMatchFrom = 0;
        at = 0;
        seen = 0;
    }

    private @Nullable PassedOn requestLine(byte[] bytes, int end) {
        if (startsWith(GET, bytes, 0, end)) {
            at = GET.length;
        } else if (startsWith(HEAD, bytes, 0, end)) {
            head = true;
            at = HEAD.length;
        } else {
            return PassedOn.METHOD_OR_VERSION;
        }
        pathFrom = at;
        PassedOn passed = path(bytes, end);
        if (passed != null) {
            return passed;
        }
        pathTo = at;
        if (!startsWith(VERSION, bytes, at, end)) {
            return PassedOn.METHOD_OR_VERSION;
        }
        at += VERSION.length;
        return null;
    }

    private @Nullable PassedOn path(byte[] bytes, int end) {
        byte previous = 0;
        for (; at < end && bytes[at] != ' '; at++) {
            byte b = bytes[at];
            boolean first = at == pathFrom;
            boolean startsDot = b == '.' && previous == '/';
            boolean emptySegment = b == '/' && previous == '/';
            if (b < 0 || !PLAIN_PATH[b] || startsDot || emptySegment || (first && b != '/')) {
                return PassedOn.TARGET;
            }
            previous = b;
        }
        return at == pathFrom ? PassedOn.TARGET : at == end ? PassedOn.INCOMPLETE : null;
    }

    private @Nullable PassedOn header(byte[] bytes, int end) {
        int nameFrom = at;
        while (at < end && bytes[at] != ':') {
            at++;
        }
        Kind kind = headers.kind(bytes, nameFrom, at);
        if (at == end || kind == Kind.UNKNOWN || isRepeated(kind)) {
            return at == end ? PassedOn.INCOMPLETE : PassedOn.HEADER;
        }
        at++;
        if (at < end && bytes[at] == ' ') {
            at++;
        }
        int from = at;
        while (at < end && bytes[at] >= ' ' && bytes[at] != 0x7f) {
            at++;
        }
        int to = at;
        if (at + 1 >= end) {
            return PassedOn.INCOMPLETE;
        }
        if (bytes[at] != '\r' || bytes[at + 1] != '\n' || !isTrimmed(bytes, from, to)) {
            return PassedOn.HEADER;
        }
        at += 2;
        return value(kind, bytes, from, to) ? null : PassedOn.HEADER;
    }

    private boolean isRepeated(Kind kind) {
        boolean repeated = (seen & kind.bit) != 0;
        seen |= kind.bit;
        return repeated;
    }

    private static boolean isTrimmed(byte[] bytes, int from, int to) {
        return to > from && bytes[from] != ' ' && bytes[to - 1] != ' ';
    }

    private boolean value(Kind kind, byte[] bytes, int from, int to) {
        switch (kind) {
            case HOST -> {
                return PlainHost.is(bytes, from, to);
            }
            case CONNECTION -> {
                keepAliveAsked = Bytes.equalIgnoringCase(KEEP_ALIVE, bytes, from, to);
                return keepAliveAsked;
            }
            case ACCEPT -> {
                acceptFrom = from;
                acceptTo = to;
            }
            case ACCEPT_ENCODING -> {
                acceptEncodingFrom = from;
                acceptEncodingTo = to;
            }
            case IF_NONE_MATCH -> {
                ifNoneMatchFrom = from;
                ifNoneMatchTo = to;
                return EntityTags.isOneTag(bytes, from, to);
            }
            case HARMLESS -> {}
            case UNKNOWN -> {
                return false;
            }
        }
        return true;
    }

    private @Nullable PassedOn lastLine(byte[] bytes, int end) {
        if (at + 1 >= end) {
            return PassedOn.INCOMPLETE;
        }
        boolean hostSeen = (seen & Kind.HOST.bit) != 0;
        if (bytes[at + 1] != '\n' || !hostSeen) {
            return PassedOn.HEADER;
        }
        return at + 2 == end ? null : PassedOn.PIPELINED;
    }

    private static boolean startsWith(byte[] wanted, byte[] bytes, int from, int end) {
        return end - from >= wanted.length && Bytes.equal(wanted, bytes, from, from + wanted.length);
    }

    private static boolean[] plainPath() {
        boolean[] plain = new boolean[128];
        for (char c = 0; c < 128; c++) {
            plain[c] = Character.isLetterOrDigit(c) || "-_~./".indexOf(c) >= 0;
        }
        return plain;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
