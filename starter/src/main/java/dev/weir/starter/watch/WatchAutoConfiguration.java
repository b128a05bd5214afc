package dev.weir.starter.watch;

import ch.qos.logback.classic.LoggerContext;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.time.NanoClock;
import dev.weir.core.watch.CurrentBudget;
import dev.weir.core.watch.RedisCommands;
import dev.weir.core.watch.RequestWatch;
import dev.weir.core.watch.WatchedPool;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.pool.PoolFactory;
import dev.weir.starter.shed.ShedAutoConfiguration;
import io.lettuce.core.event.command.CommandListener;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** {@code weir.watch}. Before the filter of weir.shed, whose wait it measures: of filters of one order the one registered first runs first. */
@AutoConfiguration(after = WeirAutoConfiguration.class, before = ShedAutoConfiguration.class)
@EnableConfigurationProperties(WatchProperties.class)
public final class WatchAutoConfiguration {

    @Bean
    WatchFeature weirWatchFeature(
            WatchProperties properties, ObjectProvider<RequestWatch> watch, ApplicationContext context) {
        return new WatchFeature(
                properties,
                watch.getIfUnique(),
                () -> unwatchedPools(context),
                () -> context.containsBean("weirWatchRemoteCalls") && Remote.hasRegistry(context));
    }

    private static List<String> unwatchedPools(ApplicationContext context) {
        return context.containsBean("weirWatchPools") ? Pools.unwatched(context) : List.of();
    }

    /** Everything, where there are servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class On {

        @Bean
        RequestWatch weirRequestWatch(WatchProperties properties) {
            return new RequestWatch(properties.config(), NanoClock.system());
        }

        @Bean
        FilterRegistrationBean<WatchFilter> weirWatchFilter(RequestWatch watch, WatchProperties properties) {
            FilterRegistrationBean<WatchFilter> filter =
                    new FilterRegistrationBean<>(new WatchFilter(watch, properties.serverTiming()));
            filter.setName("weirWatchFilter");
            filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
            filter.setAsyncSupported(true);
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }

        @Bean
        static MadeBeans weirWatchBeans() {
            return new MadeBeans();
        }

        /** Takes the budget along to the application's own executors. */
        @Bean
        TaskDecorator weirWatchTaskDecorator() {
            return CurrentBudget::carry;
        }
    }

    /** Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({DispatcherServlet.class, WebMvcConfigurer.class})
    static class Mvc {

        @Bean
        MvcWatch weirWatchMvc(WatchProperties properties) {
            return new MvcWatch(properties.serverTiming());
        }

        @Bean
        WebMvcConfigurer weirWatchMvcConfigurer(MvcWatch watch) {
            return new WebMvcConfigurer() {
                @Override
                public void addInterceptors(InterceptorRegistry registry) {
                    registry.addInterceptor(watch).order(Ordered.LOWEST_PRECEDENCE);
                }
            };
        }

        @Bean
        SeenExceptions weirWatchExceptions() {
            return new SeenExceptions();
        }
    }

    /** Pools, also those of replicas. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(HikariDataSource.class)
    static class Pools {

        @Bean
        static PoolReplacement weirWatchPools() {
            return new PoolReplacement();
        }

        @Bean
        PoolFactory weirWatchPoolFactory() {
            return WatchedPool::new;
        }

        static List<String> unwatched(ApplicationContext context) {
            return context.getBean(PoolReplacement.class).unwatched();
        }
    }

    /** Lettuce. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(CommandListener.class)
    static class Redis {

        @Bean
        RedisCommands weirWatchRedisCommands() {
            return new RedisCommands();
        }

        @Bean
        static RedisClients weirWatchRedisClients(ObjectProvider<RedisCommands> listener) {
            return new RedisClients(listener);
        }

        /** Spring Data's clients. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(LettuceConnectionFactory.class)
        static class SpringData {

            @Bean
            static RedisFactories weirWatchRedisFactories(ObjectProvider<RedisCommands> listener) {
                return new RedisFactories(listener);
            }
        }
    }

    /** Calls of other services, through Micrometer's observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(ObservationHandler.class)
    static class Remote {

        @Bean
        RemoteCalls weirWatchRemoteCalls() {
            return new RemoteCalls();
        }

        static boolean hasRegistry(ApplicationContext context) {
            return context.getBeanProvider(ObservationRegistry.class).stream().anyMatch(registry -> !registry.isNoop());
        }
    }

    /** Logback. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(LoggerContext.class)
    static class Logs {

        @Bean
        LogVolumes weirWatchLogVolumes() {
            return new LogVolumes(LogVolume.attach());
        }
    }

    /** Ends the counting with the application. */
    record LogVolumes(@Nullable LogVolume volume) implements AutoCloseable {

        @Override
        public void close() {
            if (volume != null) {
                volume.close();
            }
        }
    }

    /** Counts where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.watch.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        MeterBinder weirWatchMeters(RequestWatch watch) {
            return new WatchMeters(watch);
        }
    }
}
