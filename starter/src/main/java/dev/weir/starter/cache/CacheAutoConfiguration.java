package dev.weir.starter.cache;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.core.cache.JacksonCodec;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.LoadGuard;
import dev.weir.core.cache.RedisCaches;
import dev.weir.core.cache.ValueCodec;
import dev.weir.core.shed.ServicePressure;
import dev.weir.core.shed.Stage;
import dev.weir.core.watch.RedisCommands;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.Features;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.route.ReplicaStaleness;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** {@code weir.cache}. Stands back where the application has a CacheManager of its own. */
@AutoConfiguration(
        after = WeirAutoConfiguration.class,
        afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
        beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@EnableConfigurationProperties(CacheProperties.class)
public final class CacheAutoConfiguration {

    private static final String DEFAULT_URL = "redis://127.0.0.1:6379";

    /** The caches and their manager, where the libraries are there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.cache.enabled")
    @ConditionalOnClass({CacheManager.class, Caffeine.class, RedisClient.class})
    static class Managed {

        @Bean
        @ConditionalOnMissingBean
        LoadGuard weirCacheLoadGuard() {
            return new PrimaryGuard();
        }

        @Bean
        @ConditionalOnMissingBean(CacheManager.class)
        WeirCacheManager weirCacheManager(
                CacheProperties properties,
                LoadGuard guard,
                ObjectProvider<CacheCodecs> codecs,
                ObjectProvider<Features> features,
                ObjectProvider<ReplicaStaleness> replicas,
                ObjectProvider<ServicePressure> pressure,
                ApplicationContext context) {
            ClassLoader loader = Objects.requireNonNullElseGet(
                    context.getClassLoader(), CacheAutoConfiguration.class::getClassLoader);
            Commits commits = ClassUtils.isPresent(
                            "org.springframework.transaction.support.TransactionSynchronizationManager", loader)
                    ? new TransactionCommits()
                    : Commits.none();
            Duration staleReads = replicas.stream()
                    .map(ReplicaStaleness::longest)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
            properties.checkGuards(staleReads);
            LayeredCaches caches = properties.mode() == CacheProperties.Mode.LOCAL
                    ? LayeredCaches.local(properties.common(), guard)
                    : RedisCaches.connect(
                            Redis.uri(properties, context, loader),
                            properties.common(),
                            guard,
                            List.copyOf(
                                    context.getBeansOfType(RedisCommands.class).values()));
            ServicePressure near = pressure.getIfUnique(ServicePressure::none);
            caches.staleWhile(() -> near.stage().includes(Stage.SERVE_STALE));
            try {
                return new WeirCacheManager(
                        properties,
                        caches,
                        codecs(properties, codecs, context, loader),
                        commits,
                        () -> features.getObject().isOn("route"),
                        staleReads);
            } catch (RuntimeException e) {
                caches.close();
                throw e;
            }
        }

        @Bean
        @ConditionalOnBean(WeirCacheManager.class)
        LateValues weirCacheLateValues(
                ConfigurableListableBeanFactory beans, ObjectProvider<CacheOperationSource> operations) {
            return new LateValues(beans, operations);
        }
    }

    /** Counts where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.cache.enabled")
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        CacheMeters weirCacheMeters(ObjectProvider<WeirCacheManager> manager) {
            return new CacheMeters(manager.getIfAvailable());
        }
    }

    @Bean
    CacheFeature weirCacheFeature(CacheProperties properties, ObjectProvider<WeirCacheManager> manager) {
        return new CacheFeature(properties, manager.getIfAvailable());
    }

    /** Where Redis is; a class of its own, since the service may lack Lettuce. */
    private static final class Redis {
        private Redis() {}

        static RedisURI uri(CacheProperties properties, ApplicationContext context, ClassLoader loader) {
            String url = properties.url();
            if (url != null) {
                return parsed(url);
            }
            return ClassUtils.isPresent(
                            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails", loader)
                    ? SpringRedis.uri(context)
                    : parsed(DEFAULT_URL);
        }

        static RedisURI parsed(String url) {
            RedisURI uri;
            try {
                uri = RedisURI.create(url);
            } catch (IllegalArgumentException malformed) {
                throw new SettingException(
                        "weir.cache.url",
                        withoutPassword(url),
                        "an address such as redis://host:6379 or rediss://user:password@host:6379/0",
                        "Correct it, or remove it to use what spring.data.redis says.");
            }
            if (!uri.getSentinels().isEmpty()) {
                throw new SettingException(
                        "weir.cache.url",
                        withoutPassword(url),
                        "the address of one server or a failover address; weir.cache does not speak to sentinels",
                        "Give such an address.");
            }
            return uri;
        }

        private static String withoutPassword(String url) {
            return url.replaceFirst("^(\\w[\\w+.-]*:/*|/*).*@", "$1***@");
        }
    }

    /** What spring.data.redis says; a class of its own, since the service may lack Spring Data. */
    private static final class SpringRedis {
        private SpringRedis() {}

        static RedisURI uri(ApplicationContext context) {
            DataRedisConnectionDetails details =
                    context.getBeanProvider(DataRedisConnectionDetails.class).getIfAvailable();
            if (details != null && (details.getCluster() != null || details.getSentinel() != null)) {
                throw new SettingException(
                        "spring.data.redis",
                        details.getCluster() != null ? "a cluster" : "a sentinel",
                        "one server or a failover address for weir.cache, which speaks neither to clusters nor to sentinels",
                        "Set weir.cache.url to such an address.");
            }
            DataRedisConnectionDetails.Standalone standalone = details == null ? null : details.getStandalone();
            if (details == null || standalone == null) {
                return Redis.parsed(DEFAULT_URL);
            }
            RedisURI.Builder uri = RedisURI.builder()
                    .withHost(standalone.getHost())
                    .withPort(standalone.getPort())
                    .withDatabase(standalone.getDatabase())
                    .withSsl(details.getSslBundle() != null);
            String user = details.getUsername();
            String password = details.getPassword();
            if (password != null) {
                if (user != null) {
                    uri.withAuthentication(user, password);
                } else {
                    uri.withPassword(password.toCharArray());
                }
            }
            return uri.build();
        }
    }

    private static Function<String, ValueCodec<Object>> codecs(
            CacheProperties properties,
            ObjectProvider<CacheCodecs> given,
            ApplicationContext context,
            ClassLoader loader) {
        return cache -> {
            ValueCodec<?> custom = given.orderedStream()
                    .map(codecs -> codecs.codec(cache))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (custom != null) {
                return ofObjects(custom);
            }
            String type = properties.type(cache);
            return type == null ? new SerializedCodec(loader) : Json.codec(cache, type, context);
        };
    }

    @SuppressWarnings("unchecked") // whoever names the cache's codec puts values of its type
    private static ValueCodec<Object> ofObjects(ValueCodec<?> codec) {
        return (ValueCodec<Object>) codec;
    }

    /** A class of its own, since the service may lack Jackson. */
    private static final class Json {
        private Json() {}

        static ValueCodec<Object> codec(String cache, String type, ApplicationContext context) {
            ObjectMapper mapper = context.getBeanProvider(ObjectMapper.class)
                    .getIfAvailable(() -> JsonMapper.builder().build());
            try {
                return new JacksonCodec<>(mapper, mapper.getTypeFactory().constructFromCanonical(type));
            } catch (IllegalArgumentException unknown) {
                throw new SettingException(
                        "weir.cache.caches." + cache + ".type",
                        type,
                        "the full name of a class on the class path",
                        "Correct it, or remove it for values that are Serializable.");
            }
        }
    }
}
