package dev.weir.starter.watch;

import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Counts the beans that the container makes while a request runs, singletons left out, which are made once. */
final class MadeBeans implements BeanPostProcessor, BeanFactoryAware {

    private @Nullable ConfigurableListableBeanFactory beans;

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = factory instanceof ConfigurableListableBeanFactory listable ? listable : null;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Budget budget = CurrentBudget.get();
        if (budget != null && !isSingleton(beanName)) {
            budget.bean(ClassUtils.getUserClass(bean));
        }
        return bean;
    }

    /** What has no definition was handed to the container to be wired, for the request alone. */
    private boolean isSingleton(String beanName) {
        ConfigurableListableBeanFactory factory = beans;
        return factory != null
                && factory.containsBeanDefinition(beanName)
                && factory.getMergedBeanDefinition(beanName).isSingleton();
    }
}
