package dev.weir.starter.target;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sets Tomcat's sizes where {@code weir.target} asks for it. It comes after every other source has been read and is itself the
 * last one, so that a value of the user's stands.
 */
final class TargetSettings implements EnvironmentPostProcessor, Ordered {

    static final String SOURCE = "weirTarget";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Binder binder = Binder.get(environment);
        TargetProperties target;
        try {
            target = binder.bind("weir.target", TargetProperties.class).orElse(null);
        } catch (BindException e) {
            // The bean of the same class fails the start with a sentence.
            return;
        }
        if (target == null || !target.enabled()) {
            return;
        }
        Map<String, Object> set = new LinkedHashMap<>();
        TomcatSizes.of(target).forEach((name, size) -> {
            if (!binder.bind(name, String.class).isBound()) {
                set.put(name, size.value());
            }
        });
        environment.getPropertySources().addLast(new MapPropertySource(SOURCE, set));
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
