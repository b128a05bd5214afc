package dev.weir.bench.cache;

import com.alicp.jetcache.Cache;
import com.alicp.jetcache.CacheBuilder;
import com.alicp.jetcache.CacheValueHolder;
import com.alicp.jetcache.SimpleCacheManager;
import com.alicp.jetcache.anno.CacheType;
import com.alicp.jetcache.embedded.CaffeineCacheBuilder;
import com.alicp.jetcache.redis.lettuce.RedisLettuceCacheBuilder;
import com.alicp.jetcache.support.Fastjson2KeyConvertor;
import com.alicp.jetcache.support.JavaValueDecoder;
import com.alicp.jetcache.support.JavaValueEncoder;
import com.alicp.jetcache.template.CacheBuilderTemplate;
import com.alicp.jetcache.template.NotifyMonitorInstaller;
import com.alicp.jetcache.template.QuickConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

/**
 * JetCache as its documentation sets it up for several instances: Caffeine before Redis through Lettuce, a broadcast channel,
 * {@code syncLocal}, penetration protection. Values are bytes behind JetCache's two times, so that no serializer is measured.
 */
final class JetCaches implements AutoCloseable {
    private static final String AREA = "default";
    private static final byte VALUE = 'V';
    private static final byte BROADCAST = 'B';

    private final RedisClient client;
    private final SimpleCacheManager manager = new SimpleCacheManager();

    JetCaches(String redis, String channel, Duration commandTimeout) {
        client = RedisClient.create(RedisURI.create(redis));
        CacheBuilder local =
                CaffeineCacheBuilder.createCaffeineCacheBuilder().keyConvertor(Fastjson2KeyConvertor.INSTANCE);
        CacheBuilder remote = RedisLettuceCacheBuilder.createRedisLettuceCacheBuilder()
                .redisClient(client)
                .pubSubConnection(client.connectPubSub(ByteArrayCodec.INSTANCE))
                .asyncResultTimeoutInMillis(commandTimeout.toMillis())
                .keyConvertor(Fastjson2KeyConvertor.INSTANCE)
                .valueEncoder(JetCaches::encode)
                .valueDecoder(JetCaches::decode)
                .broadcastChannel(channel);
        var template = new CacheBuilderTemplate(true, Map.of(AREA, local), Map.of(AREA, remote));
        template.getCacheMonitorInstallers().add(new NotifyMonitorInstaller(area -> remote));
        manager.setCacheBuilderTemplate(template);
    }

    /** Caffeine before Redis. */
    Cache<String, byte[]> both(String name, int localEntries, Duration localTtl, Duration ttl) {
        return manager.getOrCreateCache(QuickConfig.newBuilder(name)
                .cacheType(CacheType.BOTH)
                .syncLocal(true)
                .localLimit(localEntries)
                .localExpire(localTtl)
                .expire(ttl)
                .penetrationProtect(true)
                .build());
    }

    /** Redis alone. */
    Cache<String, byte[]> remote(String name, Duration ttl) {
        return manager.getOrCreateCache(QuickConfig.newBuilder(name)
                .cacheType(CacheType.REMOTE)
                .expire(ttl)
                .build());
    }

    /** A value, or one of JetCache's own broadcasts, which go through the same encoder. */
    private static byte[] encode(Object stored) {
        if (!(stored instanceof CacheValueHolder<?> holder)) {
            byte[] serialized = JavaValueEncoder.INSTANCE.apply(stored);
            return ByteBuffer.allocate(1 + serialized.length)
                    .put(BROADCAST)
                    .put(serialized)
                    .array();
        }
        byte[] value = (byte[]) holder.getValue();
        return ByteBuffer.allocate(1 + 2 * Long.BYTES + value.length)
                .put(VALUE)
                .putLong(holder.getExpireTime())
                .putLong(holder.getAccessTime())
                .put(value)
                .array();
    }

    private static Object decode(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        if (bytes.get() == BROADCAST) {
            return JavaValueDecoder.INSTANCE.apply(rest(bytes));
        }
        var holder = new CacheValueHolder<byte[]>();
        holder.setExpireTime(bytes.getLong());
        holder.setAccessTime(bytes.getLong());
        holder.setValue(rest(bytes));
        return holder;
    }

    private static byte[] rest(ByteBuffer bytes) {
        byte[] rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    @Override
    public void close() {
        manager.close();
        client.shutdown();
    }
}
