package dev.weir.lab.plan;

import java.nio.ByteBuffer;

/** The same bytes every time. */
record FixedRequest(ByteBuffer bytes, boolean isHead) implements EncodedRequest, RequestSource {

    static FixedRequest of(ByteBuffer content, boolean isHead) {
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(content.remaining()).put(content).flip();
        return new FixedRequest(bytes.asReadOnlyBuffer(), isHead);
    }

    @Override
    public ByteBuffer next() {
        return bytes;
    }
}
