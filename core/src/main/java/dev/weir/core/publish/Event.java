package dev.weir.core.publish;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event on its way to a topic. Events of one topic with equal keys keep their order; events without a key have none. Immutable,
 * save that its arrays are not copied: do not change them after handing them over.
 */
public final class Event {
    /** Header in which an event's id travels: 16 bytes, the more significant half first. */
    public static final String ID_HEADER = "weir-event-id";

    private static final int ID_BYTES = 16;
    private static final int HEADER_OVERHEAD_BYTES = 4;
    private static final int MOST_HEADERS = 1_000;

    private final String topic;
    private final byte @Nullable [] key;
    private final byte[] value;
    private final Map<String, byte[]> headers;
    private final @Nullable UUID id;

    private Event(String topic, byte @Nullable [] key, byte[] value, Map<String, byte[]> headers, @Nullable UUID id) {
        this.topic = topic;
        this.key = key;
        this.value = Objects.requireNonNull(value, "An event needs a value; null was given. Use an empty array.");
        this.headers = headers;
        this.id = id;
    }

    /**
     * An event whose key is this text in UTF-8.
     *
     * @param topic 1 to 1,000 characters; Kafka takes fewer
     * @throws IllegalArgumentException if the topic is no such text, or the key cannot be written as UTF-8
     */
    public static Event of(String topic, String key, byte[] value) {
        Objects.requireNonNull(key, "The key is null; use Event.unkeyed for events without an order.");
        return new Event(topic(topic), EventTexts.utf8("key", key), value, Map.of(), null);
    }

    /** An event with this key, null for none. */
    public static Event of(String topic, byte @Nullable [] key, byte[] value) {
        return new Event(topic(topic), key, value, Map.of(), null);
    }

    /** An event without a key: it goes to any partition and has no order. */
    public static Event unkeyed(String topic, byte[] value) {
        return new Event(topic(topic), null, value, Map.of(), null);
    }

    /** An event as it was written once; not checked again, so that it can be read whatever the rules were then. */
    public static Event restored(
            String topic, byte @Nullable [] key, byte[] value, Map<String, byte[]> headers, @Nullable UUID id) {
        return new Event(topic, key, value, headers, id);
    }

    private static String topic(String topic) {
        return EventTexts.name("topic", Objects.requireNonNull(topic, "An event needs a topic; null was given."));
    }

    /** The same with this id, by which consumers know a repetition. Without it the publisher gives one. */
    public Event withId(UUID other) {
        return new Event(topic, key, value, headers, other);
    }

    /**
     * The same with one more header, or another value for it; at most 1,000.
     *
     * @param name 1 to 1,000 characters
     */
    public Event withHeader(String name, byte[] content) {
        EventTexts.name("header", Objects.requireNonNull(name, "A header needs a name; null was given."));
        if (name.equals(ID_HEADER)) {
            throw new IllegalArgumentException("The header " + ID_HEADER + " holds the event's id; use withId.");
        }
        Objects.requireNonNull(content, "A header needs a content; null was given. Use an empty array.");
        Map<String, byte[]> more = new LinkedHashMap<>(headers);
        more.put(name, content);
        if (more.size() > MOST_HEADERS) {
            throw new IllegalArgumentException("An event may have " + MOST_HEADERS
                    + " headers; one more was given. Put what belongs together into one, or into the value.");
        }
        return new Event(topic, key, value, more, id);
    }

    /** Where it goes. */
    public String topic() {
        return topic;
    }

    /** What it is ordered by, null for nothing. */
    public byte @Nullable [] key() {
        return key;
    }

    /** Its content. */
    public byte[] value() {
        return value;
    }

    /** Its headers besides the id, in the order they were given. */
    public Map<String, byte[]> headers() {
        return headers;
    }

    /** Its id, null while none was given. */
    public @Nullable UUID id() {
        return id;
    }

    /** Key, value and headers with the id, in bytes; what a topic's limits are compared with, without a few bytes of framing. */
    public int sizeBytes() {
        long bytes = (long) value.length + ID_HEADER.length() + ID_BYTES + HEADER_OVERHEAD_BYTES;
        if (key != null) {
            bytes += key.length;
        }
        for (Map.Entry<String, byte[]> header : headers.entrySet()) {
            bytes += header.getKey().length() + header.getValue().length + HEADER_OVERHEAD_BYTES;
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /** An id as the content of {@link #ID_HEADER}. */
    public static byte[] idToBytes(UUID id) {
        return ByteBuffer.allocate(ID_BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    /**
     * The id in the content of {@link #ID_HEADER}.
     *
     * @throws IllegalArgumentException if these are not 16 bytes
     */
    public static UUID idFromBytes(byte[] bytes) {
        if (bytes.length != ID_BYTES) {
            throw new IllegalArgumentException(
                    "The header " + ID_HEADER + " has " + bytes.length + " bytes; an event's id has 16.");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    @Override
    public String toString() {
        return "event " + id + " for " + topic + " (" + sizeBytes() + " bytes)";
    }
}
