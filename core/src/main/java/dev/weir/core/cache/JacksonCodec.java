package dev.weir.core.cache;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/**
 * Values as JSON, by a reader and a writer prepared once for their type.
 *
 * @param <V> the values
 */
public final class JacksonCodec<V> implements ValueCodec<V> {
    private final ObjectReader reader;
    private final ObjectWriter writer;

    /** A codec for one class. */
    public JacksonCodec(ObjectMapper mapper, Class<V> type) {
        this(mapper, mapper.constructType(type));
    }

    /** A codec for a generic type. */
    public JacksonCodec(ObjectMapper mapper, JavaType type) {
        this.reader = mapper.readerFor(type);
        this.writer = mapper.writerFor(type);
    }

    @Override
    public byte[] encode(V value) {
        return writer.writeValueAsBytes(value);
    }

    @Override
    public V decode(byte[] bytes) {
        return reader.readValue(bytes);
    }
}
