package dev.weir.lab.plan;

import java.nio.ByteBuffer;

/**
 * Chooses and encodes the requests of one engine thread. Used by that thread alone; never blocks, and allocates nothing
 * where every request is fixed.
 */
public interface RequestSource {

    /**
     * Chooses the next request.
     *
     * @return its bytes as HTTP/1.1, from position to limit. A fixed request returns the same read-only direct buffer
     *     every time, so the caller works on its own position (a duplicate kept per connection, or a copy) and never
     *     moves this buffer's. A computed request may reuse the buffer at the next call.
     */
    ByteBuffer next();

    /** Whether the request chosen last is a HEAD, whose response has no body. */
    boolean isHead();

    /** Makes one source per engine thread. */
    @FunctionalInterface
    interface Factory {
        /**
         * Makes the source of one engine thread.
         *
         * @param thread the engine thread's index, from 0
         * @param threads how many there are, so that sequences can be split without overlap
         */
        RequestSource create(int thread, int threads);
    }
}
