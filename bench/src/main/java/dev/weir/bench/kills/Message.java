package dev.weir.bench.kills;

import dev.weir.core.publish.Event;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What the events of these runs say.
 *
 * @param key by which they are ordered
 * @param number of the event within its key, from 1 on
 * @param rolledBack whether its transaction was rolled back, so that nobody should ever read it
 */
record Message(String key, int number, boolean rolledBack) {
    private static final String ROLLED_BACK = " rolled back";

    byte[] keyBytes() {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    byte[] value() {
        return (number + (rolledBack ? ROLLED_BACK : "")).getBytes(StandardCharsets.UTF_8);
    }

    Event event(String topic) {
        return Event.of(topic, keyBytes(), value());
    }

    static Message of(ConsumerRecord<byte[], byte[]> read) {
        String text = new String(read.value(), StandardCharsets.UTF_8);
        boolean rolledBack = text.endsWith(ROLLED_BACK);
        String number = rolledBack ? text.substring(0, text.length() - ROLLED_BACK.length()) : text;
        return new Message(new String(read.key(), StandardCharsets.UTF_8), Integer.parseInt(number), rolledBack);
    }

    /** The event's id; null where the way gives none. */
    static @Nullable UUID idOf(ConsumerRecord<byte[], byte[]> read) {
        Header header = read.headers().lastHeader(Event.ID_HEADER);
        return header == null ? null : Event.idFromBytes(header.value());
    }
}
