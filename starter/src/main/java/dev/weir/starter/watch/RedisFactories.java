package dev.weir.starter.watch;

import dev.weir.core.watch.RedisCommands;
import io.lettuce.core.AbstractRedisClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Listens to the commands of Spring Data's clients, which exist when their factory has been initialised and connect at their first command. */
final class RedisFactories implements BeanPostProcessor {

    private final ObjectProvider<RedisCommands> listener;

    RedisFactories(ObjectProvider<RedisCommands> listener) {
        this.listener = listener;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LettuceConnectionFactory factory) {
            AbstractRedisClient client = factory.getNativeClient();
            if (client != null) {
                listener.forEach(client::addListener);
            }
        }
        return bean;
    }
}
