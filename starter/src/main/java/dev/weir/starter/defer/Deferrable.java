package dev.weir.starter.defer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Defers calls of a method until the current transaction has committed: the call writes its arguments into the outbox and returns; the
 * method runs afterwards, in this process or another instance of the service, if and only if the transaction commits, at least once, also
 * after {@code kill -9}. A failure is tried again with growing pauses; after {@code weir.outbox.attempts} the call is parked.
 *
 * <p>On void methods of singleton beans whose parameters Jackson can write and read back. On calls through Spring's proxy only, as with
 * {@code @Transactional}: a call of the bean's own method within the bean runs in line. Without {@code weir.defer} every call does.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Deferrable {

    /** Names this kind of work in the outbox, in metrics and for operators. Unique in the service, and not to be changed while work waits. */
    String value();

    /**
     * Name of the parameter whose value orders the calls: those of one name with equal values run one after another, in the order of
     * their commits. Without it there is no order.
     */
    String key() default "";
}
