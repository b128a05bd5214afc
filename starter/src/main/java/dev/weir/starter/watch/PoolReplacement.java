package dev.weir.starter.watch;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.watch.WatchedPool;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Puts a watched pool in the place of every HikariCP pool among the beans, before its settings are bound and before anybody has seen it: it is
 * a HikariCP pool too, so routing, metrics and whoever asks for one find what they look for. A pool that was started when it was
 * made stays as it is.
 */
final class PoolReplacement implements DestructionAwareBeanPostProcessor, PriorityOrdered {

    private final IdentityHashMap<Object, WatchedPool> replaced = new IdentityHashMap<>();
    private final List<String> running = new ArrayList<>();

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (!(bean instanceof HikariDataSource pool) || bean instanceof WatchedPool) {
            return bean;
        }
        // A class of somebody's own may do more than its settings say.
        if (pool.isRunning() || pool.getClass() != HikariDataSource.class) {
            synchronized (this) {
                running.add(beanName);
            }
            return bean;
        }
        WatchedPool watched = WatchedPool.inPlaceOf(pool);
        synchronized (this) {
            replaced.put(pool, watched);
        }
        return watched;
    }

    /** Beans whose connections nobody sees. */
    synchronized List<String> unwatched() {
        return List.copyOf(running);
    }

    /** The context destroys what it has made, which is the pool that was replaced. */
    @Override
    public synchronized void postProcessBeforeDestruction(Object bean, String beanName) {
        WatchedPool watched = replaced.remove(bean);
        if (watched != null) {
            watched.close();
        }
    }

    @Override
    public synchronized boolean requiresDestruction(Object bean) {
        return replaced.containsKey(bean);
    }
}
