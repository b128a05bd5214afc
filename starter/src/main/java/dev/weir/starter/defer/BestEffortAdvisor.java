package dev.weir.starter.defer;

import java.lang.reflect.UndeclaredThrowableException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;

/** Runs calls of {@link BestEffort} methods with best effort, and whatever else surrounds the method there. */
final class BestEffortAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;
    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 1_002;

    BestEffortAdvisor(ObjectProvider<Tiers> tiers) {
        super(new AnnotationMatchingPointcut(null, BestEffort.class, true), (MethodInterceptor)
                call -> offer(call, tiers.getObject()));
        setOrder(EARLY);
    }

    private static @Nullable Object offer(MethodInvocation call, Tiers tiers) {
        boolean ignored = tiers.bestEffort(() -> proceed(call));
        return null;
    }

    private static void proceed(MethodInvocation call) {
        try {
            call.proceed();
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable checked) {
            throw new UndeclaredThrowableException(checked);
        }
    }
}
