package dev.weir.store.gateway;

import dev.weir.core.publish.Event;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message as it travels through Kafka.
 *
 * @param number in its client's line
 */
record Outgoing(UUID id, String client, String to, String text, long number) {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** As an event; messages of one client and recipient share a key, and so a partition. */
    Event event(String topic) {
        byte[] key = (client + "/" + to).getBytes(StandardCharsets.UTF_8);
        return Event.of(topic, key, JSON.writeValueAsBytes(this)).withId(id);
    }

    /**
     * From a record's value.
     *
     * @throws JacksonException if it is none
     */
    static Outgoing of(byte[] value) {
        return JSON.readValue(value, Outgoing.class);
    }
}
