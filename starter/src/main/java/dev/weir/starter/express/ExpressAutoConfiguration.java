package dev.weir.starter.express;

import dev.weir.core.express.Admission;
import dev.weir.core.express.ExpressFilter;
import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.ExpressRoutes;
import dev.weir.core.express.FailureHandler;
import dev.weir.core.express.PortLane;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.WeirAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;

/** {@code weir.express}. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@EnableConfigurationProperties(ExpressProperties.class)
public final class ExpressAutoConfiguration {

    @Bean
    ExpressFeature weirExpressFeature(
            ExpressProperties properties,
            ApplicationContext context,
            ObjectProvider<ExpressRoute<?, ?>> routes,
            ObjectProvider<PortLane> lane) {
        return new ExpressFeature(
                properties.enabled(), isServlet(context), () -> declared(routes), lane::getIfAvailable);
    }

    private static List<ExpressRoute<?, ?>> declared(ObjectProvider<ExpressRoute<?, ?>> routes) {
        return routes.orderedStream().collect(Collectors.toUnmodifiableList());
    }

    private static boolean isServlet(ApplicationContext context) {
        return ClassUtils.isPresent("org.springframework.web.context.WebApplicationContext", context.getClassLoader())
                && context.containsBean("weirExpressRoutes");
    }

    /** The lanes, where there are servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.express.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class Lanes {

        @Bean
        ExpressRoutes weirExpressRoutes(ObjectProvider<ExpressRoute<?, ?>> routes) {
            return new ExpressRoutes(declared(routes));
        }

        @Bean
        PortLane weirPortLane(ExpressRoutes routes, ExpressProperties properties, ObjectProvider<Admission> admission) {
            PortLane lane = new PortLane(routes, properties.settings(), admission.getIfAvailable(Admission::open));
            lane.keptOff("the server is not Tomcat, or not one that Spring Boot starts");
            return lane;
        }

        @Bean
        FilterRegistrationBean<ExpressFilter> weirExpressFilter(
                ExpressRoutes routes, ObjectProvider<FailureHandler> failures) {
            FilterRegistrationBean<ExpressFilter> filter = new FilterRegistrationBean<>(
                    new ExpressFilter(routes, failures.getIfAvailable(FailureHandler::rethrow)));
            filter.setName("weirExpressFilter");
            filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
            // Among filters of this order those of configurations that come before this one run first: a limiter's.
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }

        /** Failures where Spring MVC answers those of controllers. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(DispatcherServlet.class)
        static class OnMvc {

            @Bean
            @ConditionalOnMissingBean(FailureHandler.class)
            MvcFailures weirExpressFailures() {
                return new MvcFailures();
            }
        }

        /** The lane on Tomcat's port. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(TomcatServletWebServerFactory.class)
        static class OnTomcat {

            @Bean
            PortLaneCustomizer weirPortLaneCustomizer(PortLane lane, ExpressProperties properties) {
                return new PortLaneCustomizer(lane, properties.portLane());
            }
        }

        /** The check that no route opens what security closes. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(SecurityFilterChain.class)
        static class WithSecurity {

            @Bean
            SecurityCheck weirExpressSecurityCheck(
                    ExpressRoutes routes, ObjectProvider<SecurityFilterChain> chains, Environment environment) {
                return new SecurityCheck(
                        routes.all(),
                        chains.orderedStream().toList(),
                        environment.getProperty("server.servlet.context-path", ""));
            }
        }

        /** Counts and times where there is a registry. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(MeterBinder.class)
        static class Metrics {

            @Bean
            MeterBinder weirExpressMeters(ExpressRoutes routes, PortLane lane) {
                return new ExpressMeters(routes.all(), lane);
            }

            /** Not where the service names its tags by a convention of its own, which cannot be asked about answers in the poller. */
            @Bean
            @ConditionalOnSwitch(value = "weir.express.server-requests", unlessSet = true)
            @ConditionalOnMissingBean(
                    type = "org.springframework.http.server.observation.ServerRequestObservationConvention")
            MeterBinder weirExpressServerRequests(ExpressRoutes routes, Environment environment) {
                return new ServerRequestMeters(
                        routes.all(),
                        environment.getProperty(
                                "management.observations.http.server.requests.name", "http.server.requests"),
                        Binder.get(environment)
                                .bind("management.observations.key-values", Bindable.mapOf(String.class, String.class))
                                .orElse(Map.of()));
            }
        }
    }
}
