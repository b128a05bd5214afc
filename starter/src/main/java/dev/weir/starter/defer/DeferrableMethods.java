package dev.weir.starter.defer;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;
import dev.weir.starter.SettingException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * All deferrable work of the application by its name: annotated methods, and beans that handle events. Adds it to the queue, and tells the
 * queue, when all beans are made, how it is done.
 */
final class DeferrableMethods implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final JsonMapper mapper;
    private final ObjectProvider<DeferrableQueue> queue;
    private final List<EventContext> contexts;
    private final Map<Method, DeferrableMethod> methods = new ConcurrentHashMap<>();
    private volatile Map<String, EventHandler> handlers = Map.of();

    DeferrableMethods(
            ConfigurableListableBeanFactory beans,
            JsonMapper mapper,
            ObjectProvider<DeferrableQueue> queue,
            List<EventContext> contexts) {
        this.beans = beans;
        this.mapper = mapper;
        this.queue = queue;
        this.contexts = contexts;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, EventHandler> all = new TreeMap<>();
        for (AnnotatedMethods.Found<Deferrable> found : AnnotatedMethods.find(beans, Deferrable.class)) {
            DeferrableMethod method = DeferrableMethod.of(found.annotation(), found.method(), found.type(), mapper);
            EventHandler earlier = all.put(method.name(), restoring(handler(found, method)));
            if (earlier != null) {
                throw twice(method.name(), "two methods");
            }
        }
        if (!all.isEmpty()) {
            requireQueue(all.keySet().iterator().next());
        }
        beans.getBeansOfType(EventHandler.class).forEach((topic, handler) -> {
            if (all.put(topic, restoring(event -> Running.run(event, () -> handler.handle(event)))) != null) {
                throw twice(topic, "a method and a bean of type EventHandler");
            }
        });
        handlers = Map.copyOf(all);
        queue.ifAvailable(there -> there.handle(all));
    }

    private static SettingException twice(String name, String who) {
        return SettingException.saying(
                "Deferrable work is named '" + name + "' by " + who + ", so nobody could tell which one is to run.",
                "Give each its own name.");
    }

    private void requireQueue(String name) {
        if (queue.getIfAvailable() == null) {
            throw SettingException.saying(
                    "@Deferrable(\"" + name
                            + "\") needs an outbox, and there is none: weir.outbox is off, or lacks a data source.",
                    "Set weir.outbox.enabled=true, or declare a bean of type DeferrableQueue.");
        }
    }

    private EventHandler handler(AnnotatedMethods.Found<Deferrable> found, DeferrableMethod method) {
        if (!beans.isSingleton(found.bean())) {
            throw SettingException.saying(
                    "@Deferrable(\"" + method.name() + "\") on " + AnnotatedMethods.describe(found.method())
                            + " is on a bean that is no singleton, so nobody could tell which instance is to run.",
                    "Put it on a singleton.");
        }
        Object bean = beans.getBean(found.bean());
        AnnotatedMethods.requireAdvised("@Deferrable", found, bean, DeferrableAdvisor.class);
        Method invocable = AopUtils.selectInvocableMethod(found.method(), bean.getClass());
        invocable.setAccessible(true);
        return event -> {
            @Nullable Object[] arguments = method.read(event.value());
            Running.run(event, () -> invoke(bean, invocable, arguments));
        };
    }

    /** Through the proxy, for its transaction and whatever else it adds. */
    private static void invoke(Object bean, Method method, @Nullable Object[] arguments) throws Exception {
        try {
            method.invoke(bean, arguments);
        } catch (InvocationTargetException thrown) {
            switch (thrown.getCause()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw thrown;
            }
        }
    }

    private EventHandler restoring(EventHandler handler) {
        EventHandler all = handler;
        for (EventContext context : contexts.reversed()) {
            all = context.restore(all);
        }
        return all;
    }

    /** The deferrable method behind this one, which an annotated method of the class overrides or is. */
    DeferrableMethod method(Method called, @Nullable Class<?> target) {
        Method declared = target == null ? called : AopUtils.getMostSpecificMethod(called, target);
        return methods.computeIfAbsent(
                declared,
                method -> DeferrableMethod.of(
                        Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, Deferrable.class)),
                        method,
                        target == null ? method.getDeclaringClass() : target,
                        mapper));
    }

    /**
     * Adds work to the queue, with the caller's context.
     *
     * @throws IllegalStateException if there is no queue, or no transaction is active
     */
    UUID add(Event event) {
        DeferrableQueue there = queue.getIfAvailable();
        if (there == null) {
            throw new IllegalStateException(
                    "Deferrable work needs an outbox, and there is none. Set weir.outbox.enabled=true, or declare a bean of type DeferrableQueue.");
        }
        Event whole = event;
        for (EventContext context : contexts) {
            whole = context.capture(whole);
        }
        return there.add(whole);
    }

    /** @throws IllegalArgumentException if nobody handles events of this topic */
    void requireHandler(String topic) {
        if (!handlers.containsKey(topic)) {
            throw new IllegalArgumentException("Nobody handles deferred events of topic '" + topic
                    + "'. Declare a bean of type EventHandler with this name; there is "
                    + (handlers.isEmpty() ? "none" : String.join(", ", handlers.keySet())) + ".");
        }
    }

    int count() {
        return handlers.size();
    }
}
