package dev.weir.starter.shed;

import dev.weir.core.shed.Priority;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What requests that a handler of Spring MVC serves are worth when {@code weir.shed} cannot admit all. On the method, or on the class
 * for all of its methods that do not say otherwise. A {@link RequestPrioritizer} that answers, and the header of a trusted caller, come
 * first.
 *
 * <p>Admission is before the dispatch, so the handler is told by path and method alone. Where several handlers differ in nothing but
 * parameters, headers or content types, the most important of them counts.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RequestPriority {

    /** The priority of its requests. */
    Priority value();
}
