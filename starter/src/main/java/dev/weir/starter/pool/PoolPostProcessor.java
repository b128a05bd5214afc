package dev.weir.starter.pool;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Sizes the pool of the bean {@code dataSource} after its own properties were bound and before it starts. */
final class PoolPostProcessor implements BeanPostProcessor {

    /** The bean that {@code spring.datasource.hikari} configures. */
    static final String BEAN = "dataSource";

    private static final String PREFIX = "spring.datasource.hikari.";

    private final ObjectProvider<PoolSettings> settings;
    private final ObjectProvider<PoolFeature> feature;
    private final Environment environment;

    PoolPostProcessor(
            ObjectProvider<PoolSettings> settings, ObjectProvider<PoolFeature> feature, Environment environment) {
        this.settings = settings;
        this.feature = feature;
        this.environment = environment;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof HikariDataSource pool && beanName.equals(BEAN) && !pool.isRunning()) {
            var binder = Binder.get(environment);
            var left = settings.getObject()
                    .apply(
                            pool,
                            name -> binder.bind(PREFIX + name, String.class).isBound());
            feature.getObject().applied(pool, left);
        }
        return bean;
    }
}
