package dev.weir.starter.threads;

import dev.weir.core.watch.PinningSettings;
import dev.weir.starter.Features;
import dev.weir.starter.WeirAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;

/** {@code weir.threads}. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@EnableConfigurationProperties(ThreadsProperties.class)
public final class ThreadsAutoConfiguration {

    private static final int TOMCAT_DEFAULT_MAX_CONNECTIONS = 8_192;

    @Bean
    PinningLog weirPinningLog(ThreadsProperties properties, Environment environment) {
        if (!properties.enabled() || !properties.pinning().enabled() || !Threading.VIRTUAL.isActive(environment)) {
            return PinningLog.off();
        }
        return PinningLog.start(new PinningSettings(
                properties.pinning().threshold(), properties.pinning().maxSites()));
    }

    @Bean
    ThreadsFeature weirThreadsFeature(
            ThreadsProperties properties,
            PinningLog pinning,
            ApplicationContext context,
            ConfigurableEnvironment environment,
            ObjectProvider<Features> features) {
        return new ThreadsFeature(
                properties,
                Threading.VIRTUAL.isActive(environment),
                environment.getPropertySources().contains(VirtualThreadsSwitch.SOURCE),
                pinning,
                () -> new ThreadsWarnings(
                        Runtime.version().feature(),
                        HikariVersion.on(Objects.requireNonNullElseGet(
                                context.getClassLoader(), ClassLoader::getSystemClassLoader)),
                        tomcatConnections(context, environment),
                        features.getObject().isOn("shed")));
    }

    /** Nothing where the configuration says a number: what to do has been done. */
    private static Optional<Integer> tomcatConnections(ApplicationContext context, Environment environment) {
        boolean tomcat =
                ClassUtils.isPresent("org.apache.catalina.startup.Tomcat", context.getClassLoader()) && isWeb(context);
        boolean chosen = environment.containsProperty("server.tomcat.max-connections");
        return tomcat && !chosen ? Optional.of(TOMCAT_DEFAULT_MAX_CONNECTIONS) : Optional.empty();
    }

    /** By name, since a service without a web server has no such class. */
    private static boolean isWeb(ApplicationContext context) {
        return ClassUtils.isPresent("org.springframework.web.context.WebApplicationContext", context.getClassLoader())
                && context instanceof WebApplicationContext;
    }

    /** Counts pins where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        MeterBinder weirPinningMeter(PinningLog pinning) {
            return new PinningMeter(pinning);
        }
    }
}
