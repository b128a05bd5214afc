package dev.weir.starter.pool;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.WeirAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** {@code weir.pool}, where HikariCP is there. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnClass(HikariDataSource.class)
@EnableConfigurationProperties(PoolProperties.class)
public final class PoolAutoConfiguration {

    @Bean
    PoolSettings weirPoolSettings(PoolProperties properties) {
        return new PoolSettings(properties);
    }

    @Bean
    PoolFeature weirPoolFeature(PoolProperties properties) {
        return new PoolFeature(properties);
    }

    @Bean
    @ConditionalOnSwitch("weir.pool.enabled")
    static PoolPostProcessor weirPoolPostProcessor(
            ObjectProvider<PoolSettings> settings, ObjectProvider<PoolFeature> feature, Environment environment) {
        return new PoolPostProcessor(settings, feature, environment);
    }

    @Bean
    @ConditionalOnSwitch("weir.pool.enabled")
    ApplicationListener<ApplicationReadyEvent> weirPoolCheck(PoolFeature feature) {
        return new PoolCheck(feature);
    }
}
