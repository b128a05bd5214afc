package dev.weir.bench.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.function.Function;

/** What is usually written: Caffeine before Redis, delete and publish on a change, all errors swallowed. */
final class NaiveCache implements Subject {
    private static final String CHANNEL = "naive:invalidations";
    private static final long SHARED_SECONDS = 300;

    private final Cache<String, Long> local = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofSeconds(30))
            .build();
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> commands;
    private final StatefulRedisPubSubConnection<String, String> subscription;

    NaiveCache(String redis) {
        client = RedisClient.create(RedisURI.create(redis));
        commands = client.connect();
        commands.setTimeout(Duration.ofMillis(250));
        subscription = client.connectPubSub();
        subscription.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String key) {
                local.invalidate(key);
            }
        });
        subscription.sync().subscribe(CHANNEL);
    }

    @Override
    public long read(String key, Function<String, Long> loader) {
        Long found = local.getIfPresent(key);
        if (found != null) {
            return found;
        }
        long read = readThrough(key, loader);
        local.put(key, read);
        return read;
    }

    private long readThrough(String key, Function<String, Long> loader) {
        try {
            String shared = commands.sync().get("naive:" + key);
            if (shared != null) {
                return Long.parseLong(shared);
            }
        } catch (RedisException away) {
            return loader.apply(key);
        }
        long loaded = loader.apply(key);
        try {
            commands.sync().setex("naive:" + key, SHARED_SECONDS, Long.toString(loaded));
        } catch (RedisException away) {
            return loaded;
        }
        return loaded;
    }

    @Override
    public boolean evict(String key) {
        local.invalidate(key);
        try {
            commands.sync().del("naive:" + key);
            commands.sync().publish(CHANNEL, key);
            return true;
        } catch (RedisException away) {
            return false;
        }
    }

    @Override
    public void awaitReady() {}

    @Override
    public void close() {
        subscription.close();
        commands.close();
        client.shutdown();
    }
}
