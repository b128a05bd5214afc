package dev.weir.store.gateway;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message.
 *
 * @param to who gets it, at most 100 characters
 * @param text at most 2,000 characters
 * @param callbackUrl told what became of it; an allowed origin
 */
record MessageRequest(
        @NotBlank @Size(max = 100) @Nullable String to,
        @NotBlank @Size(max = 2_000) @Nullable String text,
        @Nullable String callbackUrl) {}
