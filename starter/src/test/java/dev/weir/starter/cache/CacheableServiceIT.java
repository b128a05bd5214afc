package dev.weir.starter.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.cache.LayeredCache;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Two instances of a service with {@code @Cacheable} methods on a real Redis. */
@Timeout(120)
class CacheableServiceIT {
    private static Stack stack;

    record Product(String id, long price) implements Serializable {}

    static class Products {
        private static final ConcurrentHashMap<String, Long> ROWS = new ConcurrentHashMap<>();
        private static final AtomicInteger QUERIES = new AtomicInteger();

        @Cacheable("products")
        public Product byId(String id) {
            QUERIES.incrementAndGet();
            return new Product(id, ROWS.getOrDefault(id, 1L));
        }

        @Cacheable(cacheNames = "prices", sync = true)
        public Product price(String id) {
            return byId(id);
        }

        @CacheEvict({"products", "prices"})
        public void change(String id) {
            ROWS.merge(id, 2L, Long::sum);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    @EnableAutoConfiguration(exclude = DataRedisRepositoriesAutoConfiguration.class)
    static class Service {
        @Bean
        Products products() {
            return new Products();
        }
    }

    @BeforeAll
    static void start() {
        stack = Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent());
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @Test
    void oneInstancesValueIsTheOthersAndGoesWhenItChanges() throws Exception {
        try (var one = instance();
                var two = instance()) {
            Products here = one.getBean(Products.class);
            Products there = two.getBean(Products.class);

            assertThat(here.byId("a")).isEqualTo(new Product("a", 1));
            int queries = Products.QUERIES.get();
            assertThat(there.byId("a")).isEqualTo(new Product("a", 1));
            assertThat(here.byId("a")).isEqualTo(new Product("a", 1));
            assertThat(Products.QUERIES).hasValue(queries);
            assertThat(here.price("a")).isEqualTo(new Product("a", 1));
            assertThat(there.price("a")).isEqualTo(new Product("a", 1));

            here.change("a");

            // Strict: no wait is needed.
            assertThat(there.price("a").price()).isEqualTo(here.byId("a").price());
        }
    }

    private static ConfigurableApplicationContext instance() throws InterruptedException {
        SpringApplication application = new SpringApplication(Service.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        ConfigurableApplicationContext context = application.run(
                "--spring.main.banner-mode=off",
                "--spring.data.redis.url=" + stack.redis().url(),
                "--weir.cache.enabled=true",
                "--weir.cache.staleness-bound=600ms",
                "--weir.cache.defaults.ttl-without-redis=200ms",
                "--weir.cache.command-timeout=600ms",
                "--weir.cache.caches.products.type=" + Product.class.getName(),
                "--weir.cache.caches.prices.strict=true",
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
        WeirCacheManager manager = context.getBean(WeirCacheManager.class);
        assertThat(manager.caches().awaitReady(Duration.ofSeconds(20))).isTrue();
        LayeredCache<?, ?> prices = ((WeirCache) Objects.requireNonNull(manager.getCache("prices"))).getNativeCache();
        assertThat(prices.config().strict()).isTrue();
        return context;
    }
}
