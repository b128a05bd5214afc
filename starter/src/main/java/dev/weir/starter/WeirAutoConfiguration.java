package dev.weir.starter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** What all features share: their list, and its table in the log when the application is ready. */
@AutoConfiguration
public final class WeirAutoConfiguration {

    @Bean
    Features weirFeatures(ObjectProvider<WeirFeature> features, Environment environment) {
        var absent = new AbsentFeatures(environment);
        return new Features(() -> absent.beside(features::stream));
    }

    @Bean
    static FeatureNames weirFeatureNames(Environment environment) {
        return new FeatureNames(environment);
    }

    @Bean
    ApplicationListener<ApplicationReadyEvent> weirStartTable(Features features) {
        return new StartTable(features);
    }
}
