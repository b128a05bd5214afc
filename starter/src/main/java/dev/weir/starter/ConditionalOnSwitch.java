package dev.weir.starter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches by a setting that is true or false, read as the settings' classes read it: {@code off}, {@code no} and {@code 0}
 * are false as well. Boot's own conditions compare texts, for which {@code off} is neither, or not false and so true.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSwitchCondition.class)
public @interface ConditionalOnSwitch {

    /** The whole name of the setting. */
    String value();

    /** What it must be. */
    boolean is() default true;

    /** What it is where it is not set. */
    boolean unlessSet() default false;
}
