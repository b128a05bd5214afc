package dev.weir.starter.defer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs calls of a method on virtual threads, at most so many at once, without holding the caller. A call is dropped and counted when too
 * many wait, when the service is under pressure, and at the end of the application. What the method throws is counted, and the first time
 * logged.
 *
 * <p>On void methods of beans. On calls through Spring's proxy only, as with {@code @Transactional}: a call within the bean runs in
 * line. Without {@code weir.defer} every call does.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface BestEffort {}
