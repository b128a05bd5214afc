package dev.weir.lab.http1;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads one HTTP/1.x response after another from bytes that arrive in pieces of any size. Allocates nothing, keeps no
 * byte, never throws on what it is given. Used by one thread.
 *
 * <p>It follows RFC 9112 (https://www.rfc-editor.org/rfc/rfc9112): a line may end in a bare LF (2.2); interim responses
 * are skipped; the length of the body is found as in section 6.3. Where the standard leaves the choice, an ambiguous
 * length (a second Content-Length, white space before the colon) is malformed, and a response with both Transfer-Encoding
 * and Content-Length is read as chunked and its connection not used again.
 *
 * <p>Design: a state per place in the grammar; each state has a method that takes as many bytes as it can and leaves the
 * state to go on with, so a response may be cut at any byte. Of the header only three fields matter; a set of bits keeps
 * which of their names the current one can still be. Limits cut the input before a state sees it, so the answer does not
 * depend on where the pieces were cut.
 */
public final class ResponseParser {

    /** What the bytes so far amount to. */
    public enum Outcome {
        /** More bytes are needed. */
        INCOMPLETE,
        /** A whole response was read; bytes that follow it are left in the buffer. */
        COMPLETE,
        /** Not a valid response; {@link #problem} says why. */
        MALFORMED,
        /** The header or the body exceeds its limit; {@link #problem} says which. */
        TOO_LARGE
    }

    private static final int VERSION = 0;
    private static final int CODE = 1;
    private static final int REASON = 2;
    private static final int LINE_START = 3;
    private static final int NAME = 4;
    private static final int VALUE_SKIPPED = 5;
    private static final int VALUE_NUMBER = 6;
    private static final int VALUE_WORDS = 7;
    private static final int HEAD_LF = 8;
    private static final int CHUNK_SIZE = 9;
    private static final int CHUNK_EXTENSION = 10;
    private static final int CHUNK_END = 11;
    private static final int TRAILER_START = 12;
    private static final int TRAILER_SKIPPED = 13;
    private static final int TRAILER_LF = 14;
    /** States from here on read the body and are not bounded by the header's limit. */
    private static final int BODY_COUNTED = 15;

    private static final int CHUNK_DATA = 16;
    private static final int BODY_UNTIL_CLOSE = 17;

    /** First byte of the answer of a service that expects TLS to what it takes for a broken handshake. */
    private static final byte TLS_ALERT = 0x15;

    private static final String SPEAKS_TLS = "it is a TLS alert: the port speaks TLS, so use https";
    private static final String NO_HTTP = "it does not begin with HTTP/1.1 or HTTP/1.0";

    private static final byte[] PREFIX = bytes("HTTP/1.");
    private static final byte[][] FIELDS = {bytes("content-length"), bytes("transfer-encoding"), bytes("connection")};
    private static final int CONTENT_LENGTH = 0;
    private static final int TRANSFER_ENCODING = 1;
    private static final int NO_FIELD = -1;
    private static final int ALL_FIELDS = 0b111;

    private static final byte[][] WORDS = {bytes("chunked"), bytes("close"), bytes("keep-alive")};
    private static final int CHUNKED = 0;
    private static final int CLOSE = 1;
    private static final int KEEP_ALIVE = 2;
    private static final int ALL_WORDS = 0b111;

    private static final boolean[] TOKEN = tokenCharacters();
    private static final long EACH_BYTE = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long EACH_LF = EACH_BYTE * '\n';

    private final int maxHeaderBytes;
    private final long maxBodyBytes;

    private Outcome outcome = Outcome.INCOMPLETE;
    private String problem = "";
    private boolean head;
    private int state;
    private int headerBytes;
    private long bodyBytes;

    private int index;
    private int minorVersion;
    private int status;
    private int candidates;
    private int field;
    private boolean carriageReturn;

    private long number;
    private boolean numberEnded;
    private boolean wordEnded;
    private long contentLength;
    private boolean transferEncoding;
    private boolean chunked;
    private boolean close;
    private boolean keepAlive;
    private long remaining;

    /**
     * Makes a parser.
     *
     * @param maxHeaderBytes longest status line and header together, interim responses included; also the bound on the
     *     lines between chunks
     * @param maxBodyBytes longest body, after removing the chunks' framing
     */
    public ResponseParser(int maxHeaderBytes, long maxBodyBytes) {
        this.maxHeaderBytes = maxHeaderBytes;
        this.maxBodyBytes = maxBodyBytes;
        reset(false);
    }

    /**
     * Begins the next response.
     *
     * @param toHead whether it answers a HEAD, so that it has no body whatever its header says
     */
    public void reset(boolean toHead) {
        head = toHead;
        outcome = Outcome.INCOMPLETE;
        problem = "";
        headerBytes = 0;
        bodyBytes = 0;
        beginHead();
    }

    private void beginHead() {
        state = VERSION;
        index = 0;
        field = NO_FIELD;
        status = 0;
        contentLength = -1;
        transferEncoding = false;
        chunked = false;
        close = false;
        keepAlive = false;
    }

    /**
     * Reads on. Takes the buffer's bytes from its position up to the end of the response at most.
     *
     * @return the state of the response; once it is not {@code INCOMPLETE}, it stays so until {@link #reset}
     */
    public Outcome parse(ByteBuffer in) {
        int at = in.position();
        int end = in.limit();
        while (at < end && outcome == Outcome.INCOMPLETE) {
            at = state < BODY_COUNTED ? header(in, at, end) : body(at, end);
        }
        in.position(at);
        return outcome;
    }

    /**
     * Says that the service has closed its side.
     *
     * @return whether that ends the response properly, its body being delimited by the close
     */
    public boolean endOfInput() {
        if (outcome == Outcome.INCOMPLETE && state == BODY_UNTIL_CLOSE) {
            outcome = Outcome.COMPLETE;
        }
        return outcome == Outcome.COMPLETE;
    }

    /** The status code of the response, once its header has been read; else not meaningful. */
    public int status() {
        return status;
    }

    /** Whether the connection may carry another request after this response. */
    public boolean reusable() {
        boolean persistent = minorVersion == 0 ? keepAlive && !transferEncoding : true;
        boolean ambiguous = transferEncoding && contentLength >= 0;
        return outcome == Outcome.COMPLETE && persistent && !close && !ambiguous && state != BODY_UNTIL_CLOSE;
    }

    /** Why the response is malformed or too large, as a phrase; empty otherwise. */
    public String problem() {
        return problem;
    }

    private int header(ByteBuffer in, int at, int end) {
        int bound = Math.min(end, at + maxHeaderBytes - headerBytes);
        if (bound == at) {
            return fail(Outcome.TOO_LARGE, "the header exceeds " + maxHeaderBytes + " bytes", at);
        }
        int reached = headerPart(in, at, bound);
        headerBytes += reached - at;
        return reached;
    }

    private int headerPart(ByteBuffer in, int at, int end) {
        return switch (state) {
            case VERSION -> version(in, at, end);
            case CODE -> code(in, at, end);
            case REASON -> reason(in, at, end);
            case LINE_START -> lineStart(in, at);
            case NAME -> name(in, at, end);
            case VALUE_SKIPPED -> skipLine(in, at, end, LINE_START);
            case VALUE_NUMBER -> numberValue(in, at, end);
            case VALUE_WORDS -> wordsValue(in, at, end);
            case HEAD_LF -> headLf(in, at);
            case CHUNK_SIZE -> chunkSize(in, at, end);
            case CHUNK_EXTENSION -> chunkExtension(in, at, end);
            case CHUNK_END -> chunkEnd(in, at);
            case TRAILER_START -> trailerStart(in, at);
            case TRAILER_SKIPPED -> skipLine(in, at, end, TRAILER_START);
            default -> trailerLf(in, at);
        };
    }

    private int version(ByteBuffer in, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = in.get(next++);
            if (index < PREFIX.length ? b != PREFIX[index] : index == PREFIX.length ? !isDigit(b) : b != ' ') {
                return fail(Outcome.MALFORMED, index == 0 && b == TLS_ALERT ? SPEAKS_TLS : NO_HTTP, next);
            }
            if (index == PREFIX.length) {
                minorVersion = b - '0';
            }
            if (index++ > PREFIX.length) {
                return go(CODE, next);
            }
        }
        return next;
    }

    private int code(ByteBuffer in, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = in.get(next++);
            if (index < 3 && isDigit(b)) {
                status = status * 10 + b - '0';
                index++;
            } else if (index == 3 && status >= 100 && (b == ' ' || b == '\r' || b == '\n')) {
                return go(b == '\n' ? LINE_START : REASON, next);
            } else {
                return fail(Outcome.MALFORMED, "its status code is not a number from 100 to 999", next);
            }
        }
        return next;
    }

    private int reason(ByteBuffer in, int at, int end) {
        return skipLine(in, at, end, LINE_START);
    }

    private int lineStart(ByteBuffer in, int at) {
        byte b = in.get(at);
        switch (b) {
            case '\n' -> endHead();
            case '\r' -> state = HEAD_LF;
            case ' ', '\t' -> {
                if (field != NO_FIELD) {
                    return fail(Outcome.MALFORMED, "a header field that decides its length is folded", at + 1);
                }
                state = VALUE_SKIPPED;
            }
            default -> {
                candidates = ALL_FIELDS;
                return go(NAME, at);
            }
        }
        return at + 1;
    }

    private int name(ByteBuffer in, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = in.get(next++);
            if (b == ':' && index > 0) {
                beginValue(matched(FIELDS));
                return next;
            }
            if (b < 0 || !TOKEN[b]) {
                return fail(Outcome.MALFORMED, "a header line has no valid name", next);
            }
            narrow(FIELDS, b);
        }
        return next;
    }

    private void beginValue(int named) {
        field = named;
        switch (named) {
            case NO_FIELD -> state = VALUE_SKIPPED;
            case CONTENT_LENGTH -> {
                number = 0;
                numberEnded = false;
                carriageReturn = false;
                go(VALUE_NUMBER, 0);
            }
            default -> {
                if (named == TRANSFER_ENCODING) {
                    transferEncoding = true;
                    chunked = false;
                }
                beginWord();
                state = VALUE_WORDS;
            }
        }
    }

    private int numberValue(ByteBuffer in, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = in.get(next++);
            if (b == '\n') {
                return endNumber(next);
            } else if (isDigit(b) && !numberEnded && !carriageReturn) {
                if (number > (Long.MAX_VALUE - 9) / 10) {
                    return fail(Outcome.TOO_LARGE, "its Content-Length exceeds " + maxBodyBytes + " bytes", next);
                }
                number = number * 10 + b - '0';
                index++;
            } else if (b == '\r' && !carriageReturn) {
                carriageReturn = true;
            } else if ((b == ' ' || b == '\t') && !carriageReturn) {
                numberEnded = index > 0;
            } else {
                return fail(Outcome.MALFORMED, "its Content-Length is not a number", next);
            }
        }
        return next;
    }

    private int endNumber(int next) {
        if (index == 0) {
            return fail(Outcome.MALFORMED, "its Content-Length is not a number", next);
        }
        if (contentLength >= 0) {
            return fail(Outcome.MALFORMED, "it has more than one Content-Length", next);
        }
        contentLength = number;
        return go(LINE_START, next);
    }

    private int wordsValue(ByteBuffer in, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = in.get(next++);
            switch (b) {
                case '\n' -> {
                    endWord();
                    return go(LINE_START, next);
                }
                case ',' -> {
                    endWord();
                    beginWord();
                }
                case ' ', '\t', '\r' -> wordEnded = index > 0;
                default -> {
                    if (wordEnded) {
                        candidates = 0;
                    }
                    narrow(WORDS, b);
                }
            }
        }
        return next;
    }

    private void beginWord() {
        candidates = ALL_WORDS;
        index = 0;
        wordEnded = false;
    }

    private void endWord() {
        if (index == 0) {
            return;
        }
        int word = matched(WORDS);
        if (field == TRANSFER_ENCODING) {
            chunked = word == CHUNKED;
        } else {
            close |= word == CLOSE;
            keepAlive |= word == KEEP_ALIVE;
        }
    }

    private int headLf(ByteBuffer in, int at) {
        if (in.get(at) != '\n') {
            return fail(Outcome.MALFORMED, "the empty line after its header does not end in LF", at + 1);
        }
        endHead();
        return at + 1;
    }

    private void endHead() {
        if (status < 200) {
            endInterim();
        } else if (head || status == 204 || status == 304) {
            complete();
        } else if (transferEncoding) {
            beginLine(chunked ? CHUNK_SIZE : BODY_UNTIL_CLOSE);
        } else if (contentLength > maxBodyBytes) {
            fail(Outcome.TOO_LARGE, "its Content-Length exceeds " + maxBodyBytes + " bytes", 0);
        } else if (contentLength == 0) {
            complete();
        } else {
            remaining = contentLength;
            state = contentLength > 0 ? BODY_COUNTED : BODY_UNTIL_CLOSE;
        }
    }

    private void endInterim() {
        if (status == 101) {
            fail(Outcome.MALFORMED, "it switches protocols, which was not asked for", 0);
        } else {
            beginHead();
        }
    }

    private void beginLine(int next) {
        number = 0;
        go(next, 0);
    }

    private int chunkSize(ByteBuffer in, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = in.get(next++);
            int digit = Character.digit(b, 16);
            if (digit >= 0) {
                number = number * 16 + digit;
                index = 1;
                if (number > maxBodyBytes - bodyBytes) {
                    return fail(Outcome.TOO_LARGE, "its body exceeds " + maxBodyBytes + " bytes", next);
                }
            } else if (index == 0 || !endsChunkSize(b)) {
                return fail(Outcome.MALFORMED, "the size of a chunk is not a hexadecimal number", next);
            } else {
                if (b == '\n') {
                    beginChunk();
                } else {
                    state = CHUNK_EXTENSION;
                }
                return next;
            }
        }
        return next;
    }

    private static boolean endsChunkSize(byte b) {
        return b == '\n' || b == '\r' || b == ';' || b == ' ' || b == '\t';
    }

    private int chunkExtension(ByteBuffer in, int at, int end) {
        int next = skipLine(in, at, end, CHUNK_END);
        if (state == CHUNK_END) {
            beginChunk();
        }
        return next;
    }

    private void beginChunk() {
        if (number == 0) {
            state = TRAILER_START;
            return;
        }
        bodyBytes += number;
        remaining = number;
        state = CHUNK_DATA;
    }

    private int chunkEnd(ByteBuffer in, int at) {
        byte b = in.get(at);
        if (b == '\n') {
            beginLine(CHUNK_SIZE);
        } else if (b == '\r' && index == 0) {
            index = 1;
        } else {
            return fail(Outcome.MALFORMED, "a chunk is longer than its size", at + 1);
        }
        return at + 1;
    }

    private int trailerStart(ByteBuffer in, int at) {
        switch (in.get(at)) {
            case '\n' -> complete();
            case '\r' -> state = TRAILER_LF;
            default -> state = TRAILER_SKIPPED;
        }
        return at + 1;
    }

    private int trailerLf(ByteBuffer in, int at) {
        if (in.get(at) != '\n') {
            return fail(Outcome.MALFORMED, "the empty line after its chunks does not end in LF", at + 1);
        }
        complete();
        return at + 1;
    }

    private int body(int at, int end) {
        if (state == BODY_UNTIL_CLOSE) {
            return bodyUntilClose(at, end);
        }
        int taken = (int) Math.min(remaining, end - at);
        remaining -= taken;
        if (remaining == 0) {
            if (state == BODY_COUNTED) {
                complete();
            } else {
                headerBytes = 0;
                go(CHUNK_END, 0);
            }
        }
        return at + taken;
    }

    private int bodyUntilClose(int at, int end) {
        int taken = (int) Math.min(maxBodyBytes - bodyBytes, end - at);
        if (taken == 0) {
            return fail(Outcome.TOO_LARGE, "its body exceeds " + maxBodyBytes + " bytes", at);
        }
        bodyBytes += taken;
        return at + taken;
    }

    /** Takes bytes up to and including the next LF, eight at a time where there are as many. */
    private int skipLine(ByteBuffer in, int at, int end, int next) {
        int i = at;
        while (i + Long.BYTES <= end && !hasLf(in.getLong(i))) {
            i += Long.BYTES;
        }
        while (i < end) {
            if (in.get(i++) == '\n') {
                return go(next, i);
            }
        }
        return i;
    }

    /** Whether one of the eight bytes is LF: a byte of the difference is zero (Hacker's Delight, 6-1). */
    private static boolean hasLf(long eight) {
        long difference = eight ^ EACH_LF;
        return ((difference - EACH_BYTE) & ~difference & HIGH_BITS) != 0;
    }

    /** Keeps those of the candidates that have this byte, whatever its case, at the current index. */
    private void narrow(byte[][] names, byte b) {
        if (candidates != 0) {
            byte lower = b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
            for (int i = 0; i < names.length; i++) {
                if ((candidates & (1 << i)) != 0 && (index >= names[i].length || names[i][index] != lower)) {
                    candidates &= ~(1 << i);
                }
            }
        }
        index++;
    }

    private int matched(byte[][] names) {
        for (int i = 0; i < names.length; i++) {
            if ((candidates & (1 << i)) != 0 && names[i].length == index) {
                return i;
            }
        }
        return NO_FIELD;
    }

    private int go(int next, int at) {
        state = next;
        index = 0;
        return at;
    }

    private void complete() {
        outcome = Outcome.COMPLETE;
    }

    private int fail(Outcome failure, String why, int at) {
        outcome = failure;
        problem = why;
        return at;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean[] tokenCharacters() {
        boolean[] token = new boolean[128];
        for (char c = 0; c < token.length; c++) {
            token[c] = Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
        }
        return token;
    }
}
