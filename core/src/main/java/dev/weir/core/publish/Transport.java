package dev.weir.core.publish;

import java.util.concurrent.CompletableFuture;

/**
 * A way to a broker, used by one sending thread and replaced as a whole when it breaks.
 *
 * <p>The order per key hangs on this contract: once a delivery has been returned, no event of the same topic that was handed over
 * later and has not been written yet is written any more; all that are not acknowledged are returned too. The publisher then makes
 * a new transport and hands them over again, in order.
 */
public interface Transport {

    /** Learns whether a topic takes events. Does not block; the future never fails, and may stay open once the transport was ended. */
    CompletableFuture<Opening> open(String topic);

    /**
     * Hands an event of an open topic over. May block for a moment (Kafka's max.block.ms), never longer.
     *
     * @return false if it was not taken because there is no room or the topic must be opened again; otherwise the delivery is
     *     completed, once, on any thread, possibly before this returns
     */
    boolean send(Event event, Delivery delivery);

    /** Gives up at once: every delivery not completed is returned, within some seconds, on any thread. Does nothing the second time. */
    void abort();

    /** Whether a topic takes events. */
    sealed interface Opening {
        /** It does. */
        record Opened() implements Opening {}

        /**
         * No broker has answered.
         *
         * @param reason what is known
         */
        record Unreachable(String reason) implements Opening {}

        /**
         * The broker does not know it; it may be created yet.
         *
         * @param reason what the broker said
         */
        record Absent(String reason) implements Opening {}

        /**
         * It can never take events as things are.
         *
         * @param reason what the broker said
         */
        record Denied(String reason) implements Opening {}
    }

    /** Hears how one event ended. */
    interface Delivery {
        /** Written to all in-sync replicas. */
        void acknowledged(int partition, long offset);

        /** Not written, and another attempt would end the same way; what follows it is not held back. */
        void refused(Exception cause);

        /**
         * Not known to be written; the transport is broken.
         *
         * @param blamed whether the error was this event's own, rather than one of the connection or of its neighbours
         */
        void returned(Exception cause, boolean blamed);
    }
}
