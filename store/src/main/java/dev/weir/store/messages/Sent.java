package dev.weir.store.messages;

import org.jspecify.annotations.Nullable;

/** The provider's receipt: accepted, not yet delivered. Without an id or a status it is none. */
public record Sent(@Nullable String id, @Nullable String status) {

    boolean isComplete() {
        return id != null && status != null;
    }
}
