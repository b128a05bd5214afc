package dev.weir.core.publish;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An accepted event until it ends. Its mutable part belongs to whoever holds it: the transport's thread, then the sending one. */
final class Pending implements Transport.Delivery {

    /** Hears how it ended. */
    interface Endings {
        void acknowledged(Pending pending, Receipt receipt);

        void refused(Pending pending, Exception cause);

        void returned(Pending pending, Exception cause, boolean blamed);
    }

    private final Event event;
    private final int bytes;
    private final long sequence;
    private final long acceptedNanos;
    private final Endings endings;
    private final CompletableFuture<Receipt> receipt = new CompletableFuture<>();
    private int blamedTimes;
    private @Nullable Exception lastFailure;

    Pending(Event event, int bytes, long sequence, long acceptedNanos, Endings endings) {
        this.event = event;
        this.bytes = bytes;
        this.sequence = sequence;
        this.acceptedNanos = acceptedNanos;
        this.endings = endings;
    }

    Event event() {
        return event;
    }

    int bytes() {
        return bytes;
    }

    long sequence() {
        return sequence;
    }

    long ageNanos(long nowNanos) {
        return nowNanos - acceptedNanos;
    }

    CompletableFuture<Receipt> receipt() {
        return receipt;
    }

    int blamedTimes() {
        return blamedTimes;
    }

    @Nullable
    Exception lastFailure() {
        return lastFailure;
    }

    @Override
    public void acknowledged(int partition, long offset) {
        endings.acknowledged(this, new Receipt(partition, offset));
    }

    @Override
    public void refused(Exception cause) {
        endings.refused(this, cause);
    }

    @Override
    public void returned(Exception cause, boolean blamed) {
        lastFailure = cause;
        if (blamed) {
            blamedTimes++;
        }
        endings.returned(this, cause, blamed);
    }
}
