package dev.weir.store.messages;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * A message to forward.
 *
 * @param to who gets it, at most 100 characters
 * @param text at most 2,000 characters
 */
public record Message(
        @NotBlank @Size(max = 100) @Nullable String to,
        @NotBlank @Size(max = 2_000) @Nullable String text) {

    static final Message SAMPLE = new Message("+4915550123456", "Your parcel arrives today between 14:00 and 16:00.");
}
