package dev.weir.starter.shed;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.CallerKeys;
import dev.weir.core.shed.ServicePressure;
import dev.weir.core.time.NanoClock;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.express.ExpressAutoConfiguration;
import dev.weir.starter.route.ReplicaConnections;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.security.SecureRandom;
import java.util.EnumSet;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** {@code weir.shed}. Before the express lane's: of filters of one order the one registered first runs first. */
@AutoConfiguration(
        after = WeirAutoConfiguration.class,
        before = ExpressAutoConfiguration.class,
        afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(ShedProperties.class)
public final class ShedAutoConfiguration {

    @Bean
    ShedFeature weirShedFeature(
            ShedProperties properties, ObjectProvider<Admission> admission, ApplicationContext context) {
        return new ShedFeature(properties, admission.getIfUnique(), context.containsBean("weirShedFilter"));
    }

    /** One for the whole service; also of an admission that the application made itself. */
    @Bean
    @ConditionalOnBean(Admission.class)
    @ConditionalOnMissingBean
    ServicePressure weirServicePressure(Admission admission) {
        return admission.servicePressure();
    }

    /** The filter, where there are servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.shed.enabled")
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class On {

        @Bean
        @ConditionalOnMissingBean
        Admission weirAdmission(ShedProperties properties) {
            return new Admission(properties.config());
        }

        @Bean
        CallerKeys weirShedCallerKeys() {
            return new CallerKeys(new SecureRandom());
        }

        @Bean
        FilterRegistrationBean<ShedFilter> weirShedFilter(
                Admission admission,
                ShedProperties properties,
                ObjectProvider<RequestPrioritizer> prioritizer,
                ObjectProvider<PriorityByHandler> handlers,
                CallerKeys keys,
                ApplicationContext context) {
            if (properties.quota().isShared() && !context.containsBean("weirShedQuotas")) {
                throw SettingException.saying(
                        "weir.shed.quota.scope is cluster, and there is no Redis to add up in: there is no bean of type"
                                + " RedisConnectionFactory.",
                        "Add spring-boot-starter-data-redis, or set weir.shed.quota.scope=instance.");
            }
            var callers = new Callers(
                    prioritizer.getIfAvailable(),
                    properties.priorityHeader(),
                    properties.trustedRanges(),
                    handlers.getIfUnique(() -> request -> null),
                    keys);
            FilterRegistrationBean<ShedFilter> filter = new FilterRegistrationBean<>(
                    new ShedFilter(admission, callers, ExemptPaths.of(properties.exempt(), context.getEnvironment())));
            filter.setName("weirShedFilter");
            filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
            filter.setAsyncSupported(true);
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }

        @Bean
        @ConditionalOnMissingBean
        dev.weir.core.express.Admission weirExpressAdmission(Admission admission, ShedProperties properties) {
            return new ExpressAdmission(admission, properties.quota().isSet());
        }

        @Bean
        SignalSampler weirShedSignals(
                Admission admission, ObjectProvider<PoolWaiters> pools, ObjectProvider<BatchingPublisher> publisher) {
            PoolWaiters waiters = pools.getIfAvailable();
            return new SignalSampler(
                            admission,
                            waiters == null ? () -> 0 : waiters,
                            SignalSampler.fullnessOf(publisher.getIfUnique()),
                            SignalSampler.cpuOfContainer(),
                            NanoClock.system())
                    .start();
        }

        /** Annotated handlers, where Spring MVC is there. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(RequestMappingHandlerMapping.class)
        static class Handlers {

            /** Made with the filter, before the handlers are. */
            @Bean
            HandlerPriorities weirShedHandlerPriorities(ObjectProvider<RequestMappingHandlerMapping> mappings) {
                return new HandlerPriorities(mappings);
            }
        }

        /** Quotas of all instances together, where Redis is there. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(StringRedisTemplate.class)
        @ConditionalOnBean(RedisConnectionFactory.class)
        @ConditionalOnProperty(name = "weir.shed.quota.scope", havingValue = "cluster")
        static class Quotas {

            @Bean
            RedisQuotas weirShedQuotas(
                    Admission admission,
                    CallerKeys keys,
                    RedisConnectionFactory connections,
                    ShedProperties properties) {
                return new RedisQuotas(
                        admission, keys, connections, properties.quota().prefix());
            }
        }

        /** Pools, where there may be any. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(HikariDataSource.class)
        static class Pools {

            @Bean
            PoolWaiters weirShedPools(ObjectProvider<DataSource> sources, ObjectProvider<ReplicaConnections> replicas) {
                return new PoolWaiters(
                        sources.stream().toList(), replicas.stream().toList());
            }
        }

        /** Counts where there is a registry. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(MeterBinder.class)
        static class Metrics {

            @Bean
            MeterBinder weirShedMeters(
                    Admission admission, SignalSampler sampler, ObjectProvider<QuotaSharing> sharing) {
                return new ShedMeters(admission, sampler, sharing.getIfUnique());
            }
        }
    }
}
