package dev.weir.starter.threads;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sets {@code spring.threads.virtual.enabled} where {@code weir.threads.enabled} asks for it. It comes after every other
 * source has been read and is itself the last one, so that a value of the user's stands.
 */
final class VirtualThreadsSwitch implements EnvironmentPostProcessor, Ordered {

    static final String VIRTUAL = "spring.threads.virtual.enabled";
    static final String SOURCE = "weirThreads";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean wanted = Binder.get(environment)
                .bind("weir.threads.enabled", Boolean.class)
                .orElse(false);
        if (wanted && !environment.containsProperty(VIRTUAL)) {
            environment.getPropertySources().addLast(new MapPropertySource(SOURCE, Map.of(VIRTUAL, true)));
        }
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
