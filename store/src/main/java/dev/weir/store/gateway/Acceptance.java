package dev.weir.store.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What became of a message handed in. */
sealed interface Acceptance {

    /**
     * On disk.
     *
     * @param number in its client's line
     * @param before messages of the same client to the same recipient that go before it
     * @param delay until the last of those that is tried again may be sent
     */
    record Queued(UUID id, long number, int before, Duration delay, Instant acceptedAt) implements Acceptance {}

    /** An earlier request had the same key and asked for the same. */
    record Replayed(StoredMessage message) implements Acceptance {}

    /** An earlier request had the same key and asked for something else. */
    record KeyReused() implements Acceptance {}

    /** Too many messages wait for this recipient, which gets one at a time. */
    record RecipientFull(int waiting, Duration expected) implements Acceptance {}

    /** It was handed in without a right to be accepted, and no earlier request had its key. */
    record NotAdmitted() implements Acceptance {}

    /** The database broke off while it was written, so it may be accepted or not. */
    record InDoubt() implements Acceptance {}

    /** The store is being stopped; it is not accepted. */
    record Stopping() implements Acceptance {}
}
