package dev.weir.starter.shed;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.CallerKeys;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.express.ExpressAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** {@code weir.shed}. Before the express lane's: of filters of one order the one registered first runs first. */
@AutoConfiguration(after = WeirAutoConfiguration.class, before = ExpressAutoConfiguration.class)
@EnableConfigurationProperties(ShedProperties.class)
public final class ShedAutoConfiguration {

    @Bean
    ShedFeature weirShedFeature(
            ShedProperties properties, ObjectProvider<Admission> admission, ApplicationContext context) {
        return new ShedFeature(properties, admission.getIfUnique(), context.containsBean("weirShedFilter"));
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
        FilterRegistrationBean<ShedFilter> weirShedFilter(
                Admission admission,
                ShedProperties properties,
                ObjectProvider<RequestPrioritizer> prioritizer,
                Environment environment) {
            var callers = new Callers(
                    prioritizer.getIfAvailable(),
                    properties.priorityHeader(),
                    properties.trustedRanges(),
                    new CallerKeys(new SecureRandom()));
            FilterRegistrationBean<ShedFilter> filter =
                    new FilterRegistrationBean<>(new ShedFilter(admission, callers, exempt(properties, environment)));
            filter.setName("weirShedFilter");
            filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
            filter.setAsyncSupported(true);
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }

        /** Without a base path the actuator's endpoints lie among the service's own. */
        private static List<String> exempt(ShedProperties properties, Environment environment) {
            List<String> paths = new ArrayList<>(properties.exempt());
            String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
            if (base.isEmpty() || base.equals("/")) {
                paths.addAll(List.of("/health", "/metrics", "/prometheus"));
            } else {
                paths.add(base.endsWith("/") ? base.substring(0, base.length() - 1) : base);
            }
            paths.addAll(List.of("/livez", "/readyz"));
            return List.copyOf(paths);
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
                            SignalSampler.cpuOfContainer())
                    .start();
        }

        /** Pools, where there may be any. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(HikariDataSource.class)
        static class Pools {

            @Bean
            PoolWaiters weirShedPools(ObjectProvider<DataSource> sources) {
                return new PoolWaiters(sources.stream().toList());
            }
        }

        /** Counts where there is a registry. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(MeterBinder.class)
        static class Metrics {

            @Bean
            MeterBinder weirShedMeters(Admission admission) {
                return new ShedMeters(admission);
            }
        }
    }
}
