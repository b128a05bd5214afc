package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.ValueCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/** Makes each cache when it is first asked for; those of the configuration at the start. */
final class WeirCacheManager implements CacheManager, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WeirCacheManager.class);

    private final CacheProperties properties;
    private final LayeredCaches caches;
    private final Function<String, ValueCodec<Object>> codecs;
    private final Commits commits;
    private final BooleanSupplier replicas;
    private final Duration staleReads;
    private final Executor executor =
            work -> Thread.ofVirtual().name("weir-cache-read").start(work);
    private final Map<String, WeirCache> byName = new ConcurrentHashMap<>();
    private final List<Consumer<LayeredCache<?, ?>>> listeners = new CopyOnWriteArrayList<>();

    /**
     * @param replicas whether reads outside the primary scope may read replicas
     * @param staleReads how old a state those may read
     */
    WeirCacheManager(
            CacheProperties properties,
            LayeredCaches caches,
            Function<String, ValueCodec<Object>> codecs,
            Commits commits,
            BooleanSupplier replicas,
            Duration staleReads) {
        this.properties = properties;
        this.caches = caches;
        this.codecs = codecs;
        this.commits = commits;
        this.replicas = replicas;
        this.staleReads = staleReads;
        properties.caches().keySet().forEach(this::getCache);
    }

    @Override
    public Cache getCache(String name) {
        WeirCache there = byName.get(name);
        return there != null ? there : make(name);
    }

    @Override
    public Collection<String> getCacheNames() {
        return new ArrayList<>(byName.keySet());
    }

    LayeredCaches caches() {
        return caches;
    }

    /** Tells of every cache at least once, there already or made later. */
    void onEach(Consumer<LayeredCache<?, ?>> listener) {
        listeners.add(listener);
        byName.values().forEach(cache -> tell(listener, cache));
    }

    @Override
    public void close() {
        caches.close();
    }

    /**
     * The codec is the service's code and the listeners may call it, so neither runs inside the map: two threads may ask for
     * a codec at once, and one of the two is not used.
     */
    private WeirCache make(String name) {
        ValueCodec<Object> codec = codecs.apply(name);
        AtomicBoolean made = new AtomicBoolean();
        WeirCache cache = byName.computeIfAbsent(name, absent -> {
            made.set(true);
            return new WeirCache(
                    caches.create(properties.cache(name, staleReads), new SpringKeys(), codec),
                    commits,
                    replicas,
                    executor);
        });
        if (made.get()) {
            listeners.forEach(listener -> tell(listener, cache));
        }
        return cache;
    }

    /** A cache works without its meters. */
    private static void tell(Consumer<LayeredCache<?, ?>> listener, WeirCache cache) {
        try {
            listener.accept(cache.getNativeCache());
        } catch (RuntimeException e) {
            LOG.warn("What follows cache {} failed", cache.getName(), e);
        }
    }
}
