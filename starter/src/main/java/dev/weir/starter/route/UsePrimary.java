package dev.weir.starter.route;

import dev.weir.core.route.PrimaryScope;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method, or every method of a class, in the {@link PrimaryScope}: read-only transactions that begin in it, its own
 * included, read from the primary. One that is open already stays where it is. It holds for the calling thread until the
 * method returns, not for what the method leaves to other threads. On calls through Spring's proxy only, as with
 * {@code @Transactional}; without {@code weir.route} it changes nothing.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface UsePrimary {}
