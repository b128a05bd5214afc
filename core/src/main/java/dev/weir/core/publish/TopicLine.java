package dev.weir.core.publish;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The waiting events of one topic, oldest first, and whether the topic takes any. Guarded by the publisher's lock. */
final class TopicLine {

    /** Where the topic stands. */
    enum Door {
        /** Nobody has asked yet, or it is time to ask again. */
        UNKNOWN,
        /** The transport has been asked. */
        ASKED,
        /** It takes events. */
        OPEN,
        /** It did not, and is asked again at its time. */
        HELD
    }

    final Deque<Pending> queue = new ArrayDeque<>();
    private final String topic;
    Door door = Door.UNKNOWN;
    /** When a held topic is asked again. */
    long askAgainAtNanos;
    /** Failures to open in a row. */
    int failures;
    /** Since when the broker has said that it does not exist. */
    long absentSinceNanos;

    boolean absent;
    /** Why calls are refused; null while they are not. */
    @Nullable
    String refusal;
    /** Why it is held; for sentences. */
    @Nullable
    String reason;
    /** Whether anyone has called since it was last asked for. */
    boolean wanted = true;

    TopicLine(String topic) {
        this.topic = topic;
    }

    String topic() {
        return topic;
    }

    boolean isOpen() {
        return door == Door.OPEN;
    }
}
