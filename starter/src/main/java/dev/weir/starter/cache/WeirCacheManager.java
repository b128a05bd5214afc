package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.ValueCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/** Makes each cache when it is first asked for; those of the configuration at the start. */
final class WeirCacheManager implements CacheManager, AutoCloseable {

    private final CacheProperties properties;
    private final LayeredCaches caches;
    private final Function<String, ValueCodec<Object>> codecs;
    private final Commits commits;
    private final BooleanSupplier replicas;
    private final Executor executor =
            work -> Thread.ofVirtual().name("weir-cache-read").start(work);
    private final Map<String, WeirCache> byName = new ConcurrentHashMap<>();
    private final List<Consumer<LayeredCache<?, ?>>> listeners = new CopyOnWriteArrayList<>();

    WeirCacheManager(
            CacheProperties properties,
            LayeredCaches caches,
            Function<String, ValueCodec<Object>> codecs,
            Commits commits,
            BooleanSupplier replicas) {
        this.properties = properties;
        this.caches = caches;
        this.codecs = codecs;
        this.commits = commits;
        this.replicas = replicas;
        properties.caches().keySet().forEach(this::getCache);
    }

    @Override
    public Cache getCache(String name) {
        WeirCache there = byName.get(name);
        return there != null ? there : byName.computeIfAbsent(name, this::make);
    }

    @Override
    public Collection<String> getCacheNames() {
        return new ArrayList<>(byName.keySet());
    }

    LayeredCaches caches() {
        return caches;
    }

    /** Tells of every cache, there already or made later. */
    void onEach(Consumer<LayeredCache<?, ?>> listener) {
        listeners.add(listener);
        byName.values().forEach(cache -> listener.accept(cache.getNativeCache()));
    }

    @Override
    public void close() {
        caches.close();
    }

    private WeirCache make(String name) {
        LayeredCache<Object, Object> made = caches.create(properties.cache(name), new SpringKeys(), codecs.apply(name));
        listeners.forEach(listener -> listener.accept(made));
        return new WeirCache(made, commits, replicas, executor);
    }
}
