package dev.weir.store.gateway;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A message handed in, until its answer is there; the same only as itself.
 */
final class Arrival {

    private final NewMessage message;
    private final boolean admitted;
    private final CompletableFuture<Acceptance> answer = new CompletableFuture<>();

    /** @param admitted whether it may be accepted; else it is only asked whether it was before */
    Arrival(NewMessage message, boolean admitted) {
        this.message = message;
        this.admitted = admitted;
    }

    NewMessage message() {
        return message;
    }

    boolean isAdmitted() {
        return admitted;
    }

    /** Fails where it cannot be written. */
    CompletableFuture<Acceptance> answer() {
        return answer;
    }

    MessageTable.Lane lane() {
        return new MessageTable.Lane(message.client(), message.to());
    }

    /** Null where the client gave no key. */
    MessageTable.@Nullable ClientKey key() {
        return message.key() == null ? null : new MessageTable.ClientKey(message.client(), message.key());
    }
}
