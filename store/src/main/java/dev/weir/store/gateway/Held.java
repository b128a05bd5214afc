package dev.weir.store.gateway;

/** A message in an instance's hands, from being read to its end; its fields belong to the {@link SendPlan}. */
final class Held {

    private final Outgoing message;
    private final int partition;
    private final long offset;
    long sentNanos;
    int failures;
    int attempts;
    long successesSeen = -1;
    /** Whether its partition is another instance's now. */
    boolean lost;

    Held(Outgoing message, int partition, long offset) {
        this.message = message;
        this.partition = partition;
        this.offset = offset;
    }

    Outgoing message() {
        return message;
    }

    int partition() {
        return partition;
    }

    long offset() {
        return offset;
    }

    boolean isAt(int otherPartition, long otherOffset) {
        return partition == otherPartition && offset == otherOffset;
    }
}
