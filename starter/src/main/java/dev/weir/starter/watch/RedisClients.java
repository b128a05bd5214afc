package dev.weir.starter.watch;

import dev.weir.core.watch.RedisCommands;
import io.lettuce.core.AbstractRedisClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Listens to the commands of every Lettuce client among the beans, which have not connected yet when they are made. */
final class RedisClients implements BeanPostProcessor {

    private final ObjectProvider<RedisCommands> listener;

    RedisClients(ObjectProvider<RedisCommands> listener) {
        this.listener = listener;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractRedisClient client) {
            listener.forEach(client::addListener);
        }
        return bean;
    }
}
