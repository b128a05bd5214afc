package dev.weir.starter.cache;

import dev.weir.core.cache.ValueCodec;
import org.jspecify.annotations.Nullable;

/**
 * Says how a cache's values are written to Redis. A bean of this type goes before {@code type} in the configuration; the
 * first one that answers counts. {@code cache -> cache.equals("products") ? ValueCodec.of(Product::toByteArray,
 * Product.parser()::parseFrom) : null} writes protobuf.
 */
@FunctionalInterface
public interface CacheCodecs {

    /** The codec for the cache of this name, or null for the next one to say. */
    @Nullable
    ValueCodec<?> codec(String cache);
}
