package dev.weir.starter;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Binds the setting that {@link ConditionalOnSwitch} names. */
final class OnSwitchCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        MergedAnnotation<ConditionalOnSwitch> asked = metadata.getAnnotations().get(ConditionalOnSwitch.class);
        String name = asked.getString("value");
        boolean found =
                Binder.get(context.getEnvironment()).bind(name, Boolean.class).orElse(asked.getBoolean("unlessSet"));
        return new ConditionOutcome(
                found == asked.getBoolean("is"),
                ConditionMessage.forCondition(ConditionalOnSwitch.class).because(name + " is " + found));
    }
}
