package dev.weir.starter.cache;

import dev.weir.starter.SettingException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Refuses at start what the caches could not keep their promise for: {@code @Cacheable} without {@code sync} on a method
 * whose value comes later. Spring then puts that value from whichever thread it comes on, in a call that looks like any
 * other put, so nothing tells a value read before an eviction from a new one.
 */
final class LateValues implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LateValues.class);

    static final String WHY =
            "true where the value comes later (CompletableFuture, Mono and the like), since a value read before an eviction and put"
                    + " after it could not be told from a new one";
    private static final String ACTION =
            "Set sync = true there, or read through the cache yourself: Cache.retrieve(key, loader).";
    private static final String COROUTINE = "kotlin.coroutines.Continuation";

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<CacheOperationSource> operations;

    LateValues(ConfigurableListableBeanFactory beans, ObjectProvider<CacheOperationSource> operations) {
        this.beans = beans;
        this.operations = operations;
    }

    @Override
    public void afterSingletonsInstantiated() {
        operations.forEach(source -> {
            for (String name : beans.getBeanDefinitionNames()) {
                Class<?> type = typeOf(name);
                if (type != null && source.isCandidateClass(type)) {
                    check(source, type);
                }
            }
        });
    }

    /** Null for a lazy bean whose type cannot be told yet. */
    private @Nullable Class<?> typeOf(String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("The type of bean {} cannot be told", name, e);
            return null;
        }
    }

    /** None where a class is missing that a signature names: Spring can make no proxy of such a bean either. */
    private static Method[] methodsOf(Class<?> type) {
        try {
            return type.getMethods();
        } catch (LinkageError e) {
            LOG.debug("The methods of {} cannot be told", type, e);
            return new Method[0];
        }
    }

    private static void check(CacheOperationSource source, Class<?> type) {
        for (Method method : methodsOf(type)) {
            if (comesLater(method) && isCacheable(source.getCacheOperations(method, type))) {
                throw new SettingException(
                        "sync of @Cacheable on " + type.getName() + "." + method.getName(), false, WHY, ACTION);
            }
        }
    }

    private static boolean comesLater(Method method) {
        Class<?> answer = method.getReturnType();
        return CompletableFuture.class.isAssignableFrom(answer)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(answer) != null
                || isCoroutine(method.getParameterTypes());
    }

    private static boolean isCoroutine(Class<?>[] parameters) {
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals(COROUTINE);
    }

    /** Where another manager or resolver is named, the caches are not Weir's. */
    private static boolean isCacheable(@Nullable Collection<CacheOperation> operations) {
        return operations != null
                && operations.stream()
                        .anyMatch(operation -> operation instanceof CacheableOperation cacheable
                                && !cacheable.isSync()
                                && cacheable.getCacheManager().isEmpty()
                                && cacheable.getCacheResolver().isEmpty());
    }
}
