package dev.weir.starter.defer;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;

/** Puts calls of {@link Deferrable} methods into the queue, before whatever else surrounds the method. */
final class DeferrableAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;
    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 1_001;

    DeferrableAdvisor(ObjectProvider<DeferrableMethods> methods) {
        super(new AnnotationMatchingPointcut(null, Deferrable.class, true), (MethodInterceptor)
                call -> defer(call, methods.getObject()));
        setOrder(EARLY);
    }

    private static @Nullable Object defer(MethodInvocation call, DeferrableMethods methods) throws Throwable {
        Object target = call.getThis();
        DeferrableMethod method =
                methods.method(call.getMethod(), target == null ? null : AopUtils.getTargetClass(target));
        if (Running.enter(method.name())) {
            return call.proceed();
        }
        methods.add(method.event(call.getArguments()));
        return null;
    }
}
