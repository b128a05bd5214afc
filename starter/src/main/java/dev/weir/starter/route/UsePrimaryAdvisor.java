package dev.weir.starter.route;

import dev.weir.core.route.PrimaryScope;
import java.lang.reflect.UndeclaredThrowableException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.Pointcuts;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;

/** Enters the scope around whatever else surrounds a method of {@link UsePrimary}, transactions above all. */
final class UsePrimaryAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 1_000;
    private static final Pointcut ANNOTATED = Pointcuts.union(
            new AnnotationMatchingPointcut(UsePrimary.class, null, true),
            new AnnotationMatchingPointcut(null, UsePrimary.class, true));

    UsePrimaryAdvisor() {
        super(ANNOTATED, (MethodInterceptor) UsePrimaryAdvisor::inScope);
        setOrder(EARLY);
    }

    private static @Nullable Object inScope(MethodInvocation call) throws Exception {
        return PrimaryScope.call(() -> {
            try {
                return call.proceed();
            } catch (Exception | Error thrown) {
                throw thrown;
            } catch (Throwable neither) {
                throw new UndeclaredThrowableException(neither);
            }
        });
    }
}
