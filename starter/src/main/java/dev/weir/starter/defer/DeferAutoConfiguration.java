package dev.weir.starter.defer;

import dev.weir.core.defer.ContextCarrier;
import dev.weir.core.shed.ServicePressure;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.outbox.OutboxAutoConfiguration;
import dev.weir.starter.outbox.OutboxRelay;
import dev.weir.starter.outbox.Outboxes;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import tools.jackson.databind.json.JsonMapper;

/** {@code weir.defer}, where Jackson is there; deferrable work needs {@code weir.outbox} or another queue besides. */
@AutoConfiguration(after = {WeirAutoConfiguration.class, OutboxAutoConfiguration.class})
@EnableConfigurationProperties(DeferProperties.class)
public final class DeferAutoConfiguration {

    /** Weir's own queue. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.defer.enabled")
    @ConditionalOnClass({DataSourceUtils.class, JsonMapper.class})
    @ConditionalOnBean(Outboxes.class)
    @ConditionalOnMissingBean(DeferrableQueue.class)
    static class Queue {

        /** After migrations, which may make its tables. */
        @Bean
        @DependsOnDatabaseInitialization
        OutboxQueue weirDeferQueue(
                Outboxes outboxes, DeferProperties properties, ObjectProvider<ServicePressure> pressure) {
            return new OutboxQueue(outboxes, properties, pressure.getIfUnique(ServicePressure::none));
        }

        @Bean
        OutboxRelay weirDeferRelay(OutboxQueue queue) {
            return queue.relay();
        }
    }

    /** Both tiers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.defer.enabled")
    @ConditionalOnClass(JsonMapper.class)
    static class On {

        @Bean
        @ConditionalOnMissingBean
        dev.weir.core.defer.BestEffort weirBestEffort(
                DeferProperties properties, ObjectProvider<ContextCarrier> carriers) {
            List<ContextCarrier> all = carriers.orderedStream().toList();
            return new dev.weir.core.defer.BestEffort(properties.bestEffort().config(), task -> {
                Runnable carried = task;
                for (ContextCarrier each : all) {
                    carried = each.carry(carried);
                }
                return carried;
            });
        }

        @Bean
        BestEffortLifecycle weirBestEffortLifecycle(dev.weir.core.defer.BestEffort effort, DeferProperties properties) {
            return new BestEffortLifecycle(effort, properties.bestEffort().drain());
        }

        @Bean
        DeferrableMethods weirDeferrableMethods(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<JsonMapper> mapper,
                ObjectProvider<DeferrableQueue> queue,
                ObjectProvider<EventContext> contexts) {
            return new DeferrableMethods(
                    beans,
                    mapper.getIfAvailable(JsonMapper::shared),
                    queue,
                    contexts.orderedStream().toList());
        }

        @Bean
        Tiers weirDeferred(
                dev.weir.core.defer.BestEffort effort,
                DeferrableMethods methods,
                ObjectProvider<ServicePressure> pressure) {
            return new Tiers(effort, methods, pressure.getIfUnique(ServicePressure::none));
        }

        @Bean
        BestEffortMethods weirBestEffortMethods(ConfigurableListableBeanFactory beans) {
            return new BestEffortMethods(beans);
        }

        /** Of the role that proxies made for transactions alone look at as well. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DeferrableAdvisor weirDeferrableAdvisor(ObjectProvider<DeferrableMethods> methods) {
            return new DeferrableAdvisor(methods);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static BestEffortAdvisor weirBestEffortAdvisor(ObjectProvider<Tiers> tiers) {
            return new BestEffortAdvisor(tiers);
        }

        @Bean
        LocaleContexts weirDeferLocale() {
            return new LocaleContexts();
        }
    }

    /** The trace. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.defer.enabled")
    @ConditionalOnClass(ObservationRegistry.class)
    static class Traces {

        @Bean
        ObservationContexts weirDeferTrace(ObjectProvider<ObservationRegistry> registry) {
            return new ObservationContexts(registry.getIfUnique(() -> ObservationRegistry.NOOP));
        }
    }

    /** Who the request is from. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.defer.enabled")
    @ConditionalOnClass(SecurityContextHolder.class)
    static class Users {

        @Bean
        SecurityContexts weirDeferUser() {
            return new SecurityContexts();
        }
    }

    /** Counts where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.defer.enabled")
    @ConditionalOnClass({MeterBinder.class, JsonMapper.class})
    static class Metrics {

        @Bean
        MeterBinder weirDeferMeters(Tiers tiers) {
            return new DeferMeters(tiers);
        }
    }

    @Bean
    DeferFeature weirDeferFeature(
            DeferProperties properties, ObjectProvider<Tiers> tiers, ObjectProvider<DeferrableQueue> queue) {
        return new DeferFeature(properties, tiers.getIfAvailable(), queue.getIfAvailable() != null);
    }
}
