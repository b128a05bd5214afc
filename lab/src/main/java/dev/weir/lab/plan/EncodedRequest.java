package dev.weir.lab.plan;

import java.nio.ByteBuffer;

/** One kind of request, ready to be sent by one engine thread. */
interface EncodedRequest {

    /** The bytes of the next one, under the terms of {@link RequestSource#next}. */
    ByteBuffer next();

    boolean isHead();
}
