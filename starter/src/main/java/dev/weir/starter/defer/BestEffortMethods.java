package dev.weir.starter.defer;

import dev.weir.starter.SettingException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Looks at all methods of best effort when the beans are made. */
final class BestEffortMethods implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;

    BestEffortMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        AnnotatedMethods.find(beans, BestEffort.class).forEach(this::check);
    }

    private void check(AnnotatedMethods.Found<BestEffort> found) {
        AnnotatedMethods.requireVoid("@BestEffort", found.method());
        AnnotatedMethods.requireProxied("@BestEffort", found.method());
        if (AnnotatedElementUtils.hasAnnotation(found.method(), Deferrable.class)) {
            throw SettingException.saying(
                    AnnotatedMethods.describe(found.method())
                            + " is both @Deferrable and @BestEffort; work is either kept or may be lost.",
                    "Remove one of the two.");
        }
        if (beans.isSingleton(found.bean())) {
            AnnotatedMethods.requireAdvised("@BestEffort", found, beans.getBean(found.bean()), BestEffortAdvisor.class);
        }
    }
}
