package dev.weir.starter.defer;

import dev.weir.starter.SettingException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds annotated methods of beans, and refuses those on which an annotation would be without effect. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /** A method of a bean, as its class declares it. */
    record Found<A extends Annotation>(String bean, Class<?> type, Method method, A annotation) {}

    static <A extends Annotation> List<Found<A>> find(ConfigurableListableBeanFactory beans, Class<A> annotation) {
        List<Found<A>> all = new ArrayList<>();
        for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(bean) ? null : AutoProxyUtils.determineTargetClass(beans, bean);
            if (type != null && AnnotationUtils.isCandidateClass(type, annotation)) {
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<A>)
                                method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation))
                        .forEach((method, found) -> all.add(new Found<>(bean, type, method, found)));
            }
        }
        return all;
    }

    static void requireVoid(String annotation, Method method) {
        if (method.getReturnType() != void.class) {
            throw SettingException.saying(
                    annotation + " on " + describe(method) + " returns "
                            + method.getReturnType().getSimpleName()
                            + ", which a call that runs later cannot.",
                    "Make the method void, or remove the annotation.");
        }
    }

    /** What Spring's proxies cannot override runs in line, silently. */
    static void requireProxied(String annotation, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw SettingException.saying(
                    annotation + " on " + describe(method)
                            + " is without effect: Spring's proxies do not see calls of private, static or final methods.",
                    "Make the method an overridable one of a bean, and call it from another bean.");
        }
    }

    /** Whether calls of the bean go through this advisor at all. */
    static void requireAdvised(String annotation, Found<?> found, Object bean, Class<?> advisor) {
        boolean advised = bean instanceof Advised proxy
                && Arrays.stream(proxy.getAdvisors()).anyMatch(advisor::isInstance);
        if (!advised) {
            throw SettingException.saying(
                    annotation + " on " + describe(found.method()) + " is without effect: bean " + found.bean()
                            + " is not behind a proxy of Spring's.",
                    "Let the bean be made by Spring after its post-processors (no static @Bean of theirs may need it), and do not"
                            + " set spring.aop.auto=false.");
        }
    }

    static String describe(Method method) {
        return ClassUtils.getShortName(method.getDeclaringClass()) + "." + method.getName();
    }
}
