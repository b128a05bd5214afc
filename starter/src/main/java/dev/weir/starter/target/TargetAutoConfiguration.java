package dev.weir.starter.target;

import dev.weir.starter.WeirAutoConfiguration;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/** {@code weir.target}; what it sets, {@link TargetSettings} has set before. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@EnableConfigurationProperties(TargetProperties.class)
public final class TargetAutoConfiguration {

    @Bean
    TargetFeature weirTargetFeature(TargetProperties properties, ConfigurableEnvironment environment) {
        Binder binder = Binder.get(environment);
        PropertySource<?> ours = environment.getPropertySources().get(TargetSettings.SOURCE);
        return new TargetFeature(
                properties,
                name -> binder.bind(name, String.class).orElse("Tomcat's default"),
                ours instanceof EnumerablePropertySource<?> known ? List.of(known.getPropertyNames()) : List.of(),
                binder.bind("spring.threads.virtual.enabled", Boolean.class).orElse(false),
                Runtime.getRuntime().availableProcessors());
    }
}
