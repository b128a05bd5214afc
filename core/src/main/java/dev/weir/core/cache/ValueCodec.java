package dev.weir.core.cache;

/**
 * Turns values into the bytes kept in Redis and back. Must be safe for use by several threads. Bytes written by an older
 * version of the service may turn up: {@link #decode} throws, and the cache treats that as a miss.
 *
 * @param <V> the values
 */
public interface ValueCodec<V> {

    /** The bytes of a value; never kept or changed by the cache afterwards. */
    byte[] encode(V value) throws Exception;

    /** The value of bytes that {@link #encode} made. */
    V decode(byte[] bytes) throws Exception;

    /** One half of a codec. */
    @FunctionalInterface
    interface Step<A, B> {
        B apply(A from) throws Exception;
    }

    /**
     * A codec of two functions. A protobuf message needs no more:
     * {@code ValueCodec.of(Product::toByteArray, Product.parser()::parseFrom)}.
     */
    static <V> ValueCodec<V> of(Step<? super V, byte[]> encode, Step<byte[], ? extends V> decode) {
        return new ValueCodec<>() {
            @Override
            public byte[] encode(V value) throws Exception {
                return encode.apply(value);
            }

            @Override
            public V decode(byte[] bytes) throws Exception {
                return decode.apply(bytes);
            }
        };
    }

    /** Bytes as they are. */
    static ValueCodec<byte[]> bytes() {
        return of(bytes -> bytes, bytes -> bytes);
    }
}
