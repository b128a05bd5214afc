package dev.weir.core.cache;

import dev.weir.core.time.NanoClock;
import io.lettuce.core.RedisURI;
import io.lettuce.core.event.command.CommandListener;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Caches over one Redis, which may be reached through a proxy or a failover address, but is no Redis Cluster. */
public final class RedisCaches {

    private RedisCaches() {}

    /**
     * Caches over a Redis of version 6 or later. Returns at once; the connections are made in the background, and again
     * when they are lost.
     *
     * @param guard runs loads that must not read a replica
     */
    public static LayeredCaches connect(RedisURI redis, CachesConfig config, LoadGuard guard) {
        return connect(redis, config, guard, List.of());
    }

    /**
     * As above.
     *
     * @param listeners are told of every command by the thread that gives it, and must not block
     */
    public static LayeredCaches connect(
            RedisURI redis, CachesConfig config, LoadGuard guard, List<CommandListener> listeners) {
        String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        LettuceRemote remote = new LettuceRemote(redis, id, config);
        listeners.forEach(remote::observed);
        NanoClock clock = NanoClock.system();
        Node node = new Node(
                id, remote, config, clock, () -> ThreadLocalRandom.current().nextLong());
        LayeredCaches caches = LayeredCaches.running(config, node, guard, clock);
        remote.start(node);
        return caches;
    }
}
