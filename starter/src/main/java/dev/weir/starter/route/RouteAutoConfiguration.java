package dev.weir.starter.route;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.route.SessionTokens;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.WeirFeature;
import dev.weir.starter.pool.PoolAutoConfiguration;
import dev.weir.starter.pool.PoolFactory;
import dev.weir.starter.pool.PoolSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.DispatcherType;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** {@code weir.route}, where Spring's JDBC support and HikariCP are there. */
@AutoConfiguration(after = {WeirAutoConfiguration.class, PoolAutoConfiguration.class})
@ConditionalOnClass({HikariDataSource.class, LazyConnectionDataSourceProxy.class})
@EnableConfigurationProperties(RouteProperties.class)
public final class RouteAutoConfiguration {

    private static final int KEY_BYTES = 32;

    /** Before the filters of Spring Security, which may read from the database. */
    private static final int FILTER_ORDER = -300;

    @Bean
    @ConditionalOnSwitch(value = "weir.route.enabled", is = false)
    WeirFeature weirRouteOff() {
        return new WeirFeature() {
            @Override
            public String name() {
                return "route";
            }

            @Override
            public FeatureStatus status() {
                return FeatureStatus.off();
            }
        };
    }

    /** Everything but the web. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.route.enabled")
    static class On {

        @Bean
        static RoutePostProcessor weirRoutePostProcessor(
                ObjectProvider<Routing> routing, ObjectProvider<RouteProperties> properties) {
            return new RoutePostProcessor(routing, properties);
        }

        @Bean
        Routing weirRouting(
                RouteProperties properties,
                PoolSettings pools,
                ObjectProvider<PoolFactory> factory,
                Environment environment) {
            return new Routing(
                    properties,
                    new ReplicaPools(
                            Binder.get(environment), pools, factory.getIfAvailable(() -> HikariDataSource::new)));
        }

        /** Of the role that proxies made for transactions alone look at as well. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static UsePrimaryAdvisor weirUsePrimaryAdvisor() {
            return new UsePrimaryAdvisor();
        }

        @Bean
        ReplicaStaleness weirRouteReplicaStaleness(RouteProperties properties) {
            return new ReplicaStaleness(properties.longestStaleness());
        }

        @Bean
        RouteCheck weirRouteCheck(
                RouteProperties properties,
                Routing routing,
                BeanFactory beans,
                ObjectProvider<PlatformTransactionManager> transactions) {
            return new RouteCheck(properties, routing, beans, transactions);
        }

        @Bean
        TokenCounters weirRouteTokenCounters() {
            return new TokenCounters();
        }

        @Bean
        RouteFeature weirRouteFeature(
                RouteProperties properties, Routing routing, RouteCheck check, ApplicationContext context) {
            return new RouteFeature(
                    properties,
                    routing,
                    check,
                    () -> context.containsBean("openEntityManagerInViewInterceptor"),
                    context.containsBean("weirRouteSessionFilter"));
        }
    }

    /** Sessions of web requests. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.route.enabled")
    @ConditionalOnClass({OncePerRequestFilter.class, FilterRegistrationBean.class, DispatcherType.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Web {

        @Bean
        @ConditionalOnMissingBean
        SessionCarrier weirRouteSessionCarrier(RouteProperties properties) {
            var session = properties.session();
            return switch (session.carrier()) {
                case COOKIE -> new CookieCarrier(session.cookie(), session.maxAge());
                case HEADER -> new HeaderCarrier(session.header());
            };
        }

        @Bean
        @ConditionalOnSwitch(value = "weir.route.session.enabled", unlessSet = true)
        FilterRegistrationBean<RouteSessionFilter> weirRouteSessionFilter(
                RouteProperties properties, SessionCarrier carrier, TokenCounters counters) {
            var tokens = new SessionTokens(
                    keys(properties.session()), properties.session().maxAge(), InstantSource.system());
            var registration = new FilterRegistrationBean<>(new RouteSessionFilter(tokens, carrier, counters));
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
            registration.setOrder(FILTER_ORDER);
            return registration;
        }

        private static List<byte[]> keys(RouteProperties.Session session) {
            List<byte[]> keys = new ArrayList<>();
            String key = session.key();
            if (key == null) {
                byte[] made = new byte[KEY_BYTES];
                new SecureRandom().nextBytes(made);
                keys.add(made);
            } else {
                keys.add(key.getBytes(StandardCharsets.UTF_8));
            }
            session.previousKeys().forEach(previous -> keys.add(previous.getBytes(StandardCharsets.UTF_8)));
            return keys;
        }
    }

    /** Refused reads where Spring MVC answers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.route.enabled")
    @ConditionalOnClass(HandlerExceptionResolver.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Mvc {

        @Bean
        RefusedReads weirRouteRefusedReads() {
            return new RefusedReads();
        }
    }

    /** Counts where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.route.enabled")
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        MeterBinder weirRouteMeters(Routing routing, RouteProperties properties, TokenCounters tokens) {
            return new RouteMeters(routing, properties, tokens);
        }
    }
}
