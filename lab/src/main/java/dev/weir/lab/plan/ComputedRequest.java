package dev.weir.lab.plan;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A request with values in it, written anew every time into the same buffer. */
final class ComputedRequest implements EncodedRequest {
    private static final byte[] CONTENT_LENGTH = "Content-Length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_LINE = "\r\n".getBytes(StandardCharsets.US_ASCII);

    private final List<Piece> head;
    private final List<Piece> body;
    private final List<Value> values;
    private final boolean hasContent;
    private final boolean isHead;
    private final ByteSink message = new ByteSink();
    private final ByteSink content = new ByteSink();

    /** A piece of the message that is put as a whole. */
    @FunctionalInterface
    interface Piece {
        void writeTo(ByteSink sink);
    }

    /**
     * Makes one.
     *
     * @param head request line and headers without Content-Length, each line ended
     * @param values each value used, once
     * @param hasContent whether a Content-Length belongs into the head
     */
    ComputedRequest(List<Piece> head, List<Piece> body, List<Value> values, boolean hasContent, boolean isHead) {
        this.head = List.copyOf(head);
        this.body = List.copyOf(body);
        this.values = List.copyOf(values);
        this.hasContent = hasContent;
        this.isHead = isHead;
    }

    @Override
    public ByteBuffer next() {
        for (Value value : values) {
            value.advance();
        }
        message.clear();
        content.clear();
        write(body, content);
        write(head, message);
        if (hasContent) {
            message.put(CONTENT_LENGTH);
            message.putDecimal(content.size());
            message.put(END_OF_LINE);
        }
        message.put(END_OF_LINE);
        message.drain(content);
        return message.flip();
    }

    @Override
    public boolean isHead() {
        return isHead;
    }

    private static void write(List<Piece> pieces, ByteSink sink) {
        for (Piece piece : pieces) {
            piece.writeTo(sink);
        }
    }
}
