package dev.weir.starter.route;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/**
 * Puts routing before the pool as soon as that is made. First of all that look at the bean afterwards, so that it is the
 * pool that is seen; whoever wraps the result touches no connection, or the check at start tells.
 */
final class RoutePostProcessor implements BeanPostProcessor, PriorityOrdered {

    private final ObjectProvider<Routing> routing;
    private final ObjectProvider<RouteProperties> properties;

    RoutePostProcessor(ObjectProvider<Routing> routing, ObjectProvider<RouteProperties> properties) {
        this.routing = routing;
        this.properties = properties;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof DataSource source)) {
            return bean;
        }
        RouteProperties set = properties.getObject();
        if (set.replicas().isEmpty() || !beanName.equals(set.dataSource())) {
            return bean;
        }
        DataSource pool = source instanceof LazyConnectionDataSourceProxy lazy ? lazy.getTargetDataSource() : source;
        return pool instanceof HikariDataSource hikari ? routing.getObject().route(hikari) : bean;
    }
}
