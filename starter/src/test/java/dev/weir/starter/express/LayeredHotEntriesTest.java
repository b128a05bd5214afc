package dev.weir.starter.express;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.CachesConfig;
import dev.weir.core.cache.KeyEncoder;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.ValueCodec;
import dev.weir.core.express.HotEntry;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LayeredHotEntriesTest {

    private final LayeredCaches caches = LayeredCaches.local(CachesConfig.defaults());
    private final LayeredCache<Long, String> cache = caches.create(
            CacheConfig.named("products"),
            KeyEncoder.text(),
            ValueCodec.of(
                    text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8)));
    private final AtomicInteger loads = new AtomicInteger();
    private final LayeredHotEntries<Long, String> entries = new LayeredHotEntries<>(cache, this::value);

    private @Nullable String value(Long key) {
        return key == 404 ? null : "value " + loads.incrementAndGet();
    }

    @AfterEach
    void close() {
        caches.close();
    }

    @Test
    void whatIsAttachedStaysAsLongAsTheEntry() throws Exception {
        assertThat(entries.peek(1L)).isNull();
        HotEntry<String> loaded = Objects.requireNonNull(entries.load(1L));
        loaded.attach("bytes");

        HotEntry<String> peeked = Objects.requireNonNull(entries.peek(1L));
        assertThat(peeked.value()).isEqualTo("value 1");
        assertThat(peeked.attachment()).isEqualTo("bytes");
    }

    @Test
    void anEvictionTakesTheAttachmentWithIt() throws Exception {
        Objects.requireNonNull(entries.load(1L)).attach("bytes");
        cache.evict(1L);

        assertThat(entries.peek(1L)).isNull();
        HotEntry<String> again = Objects.requireNonNull(entries.load(1L));
        assertThat(again.value()).isEqualTo("value 2");
        assertThat(again.attachment()).isNull();
    }

    @Test
    void aValueThatDoesNotExistHasNoEntry() throws Exception {
        assertThat(entries.load(404L)).isNull();
        assertThat(entries.peek(404L)).isNull();
    }
}
