package dev.weir.core.publish;

import java.util.concurrent.CompletableFuture;

/** What became of a call to publish, known at once. */
public sealed interface Publication {

    /**
     * Taken into the buffer.
     *
     * @param receipt completed when all in-sync replicas have the event; fails with {@link NotDeliveredException}. Dependents run on
     *     the network thread unless they are attached with an …Async method, and must not block.
     */
    record Accepted(CompletableFuture<Receipt> receipt) implements Publication {}

    /** Not taken; nothing of it is kept. */
    sealed interface Refused extends Publication {
        /** What was given, what is allowed, what to do. */
        String sentence();
    }

    /**
     * No room: events come faster than they are acknowledged.
     *
     * @param events held at this moment
     * @param allowedEvents the setting buffer-events
     * @param bytes held at this moment
     * @param allowedBytes the setting buffer-bytes
     * @param trouble what stands in the way, a sentence; empty where nothing is known
     */
    record BufferFull(int events, int allowedEvents, long bytes, long allowedBytes, String trouble) implements Refused {
        @Override
        public String sentence() {
            return "The publisher's buffer is full: " + events + " of " + allowedEvents + " events, " + bytes + " of "
                    + allowedBytes + " bytes." + trouble
                    + " Slow down, or raise buffer-events or buffer-bytes if this is a burst.";
        }
    }

    /**
     * Larger than one event may be.
     *
     * @param bytes the event's
     * @param allowedBytes the setting max-event-bytes
     */
    record Oversized(int bytes, int allowedBytes) implements Refused {
        @Override
        public String sentence() {
            return "The event has " + bytes + " bytes; allowed are " + allowedBytes
                    + ". Raise max-event-bytes and the topic's max.message.bytes, or put the content elsewhere and publish where it is.";
        }
    }

    /**
     * The encoder threw.
     *
     * @param cause what it threw
     */
    record Unserialisable(Exception cause) implements Refused {
        @Override
        public String sentence() {
            return "The payload cannot be written as bytes: " + cause + ".";
        }
    }

    /**
     * The topic takes no events: it does not exist, its name is invalid, or this client may not write to it.
     *
     * @param topic its name
     * @param reason what the broker said
     */
    record TopicRefused(String topic, String reason) implements Refused {
        @Override
        public String sentence() {
            return "Topic " + topic + " takes no events: " + reason
                    + ". Create it or correct its name or rights; the publisher asks again by itself.";
        }
    }

    /** The publisher was closed. */
    record Closed() implements Refused {
        @Override
        public String sentence() {
            return "The publisher is closed.";
        }
    }
}
