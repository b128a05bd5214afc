package dev.weir.store.gateway;

import static java.util.Objects.requireNonNull;

import dev.weir.core.publish.Event;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message as it travels through Kafka.
 *
 * @param number in its client's line
 */
record Outgoing(UUID id, String client, String to, String text, long number) {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** @throws NullPointerException if one is missing, as in a record of somebody else's */
    Outgoing {
        requireNonNull(id, "id");
        requireNonNull(client, "client");
        requireNonNull(to, "to");
        requireNonNull(text, "text");
    }

    /** As an event; messages of one client and recipient share a key, and so a partition. */
    Event event(String topic) {
        byte[] key = (client + "/" + to).getBytes(StandardCharsets.UTF_8);
        return Event.of(topic, key, JSON.writeValueAsBytes(this)).withId(id);
    }

    /**
     * From a record's value.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Outgoing of(byte @Nullable [] value) {
        if (value == null) {
            throw new IllegalArgumentException("it has no value");
        }
        Outgoing read;
        try {
            read = JSON.readValue(value, Outgoing.class);
        } catch (JacksonException | NullPointerException foreign) {
            throw new IllegalArgumentException(foreign.getMessage(), foreign);
        }
        if (read == null) {
            throw new IllegalArgumentException("it is null");
        }
        return read;
    }
}
