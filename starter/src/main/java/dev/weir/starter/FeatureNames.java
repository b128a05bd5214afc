package dev.weir.starter;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Refuses settings that do not exist, of features that do and of features that do not: one that is misspelt would otherwise
 * change nothing without a word, also where what the feature needs is not there to look at its settings. Environment
 * variables and system properties belong to others as well, so of those a feature that does not exist is refused by its
 * {@code enabled} alone, and a setting of one that does is only warned of.
 */
final class FeatureNames implements BeanFactoryPostProcessor {

    /** Every feature of the starter, by its name below {@code weir}. */
    static final List<String> ALL = List.of(
            "cache", "defer", "express", "outbox", "pool", "publish", "route", "shed", "target", "threads", "watch");

    /** What to do about a name that no setting has. */
    static final String NO_SETTING_ACTION =
            "Correct the name or remove it; all names stand in docs/reference/starter.md of Weir.";

    private static final Logger log = LoggerFactory.getLogger(FeatureNames.class);
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("weir");

    private final Environment environment;

    FeatureNames(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean shared = isShared(source);
                names.stream().filter(OURS::isAncestorOf).forEach(name -> check(name, source, shared));
            }
        }
    }

    private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source, boolean shared) {
        if (!ALL.contains(feature(name))) {
            if (!shared || isSwitch(name)) {
                throw noFeature(name, place(name, source));
            }
            return;
        }
        SettingNames known = SettingNames.ofFeature(feature(name));
        if (known.isEmpty()) {
            return;
        }
        if (known.contains(name)) {
            checkNoGroup(name, known, source, shared);
            return;
        }
        if (!shared) {
            throw SettingException.saying(noSetting(name, known, source), NO_SETTING_ACTION);
        }
        if (!known.containsVariable(name)) {
            log.warn("{}", noSetting(name, known, source));
        }
    }

    /** A value for a group would be passed over, or fail with a sentence about converters. An empty one is an empty group's. */
    private static void checkNoGroup(
            ConfigurationPropertyName name, SettingNames known, ConfigurationPropertySource source, boolean shared) {
        List<String> members = known.membersOf(name);
        ConfigurationProperty given = source.getConfigurationProperty(name);
        boolean empty = given == null || String.valueOf(given.getValue()).isBlank();
        if (!members.isEmpty() && !empty && !shared) {
            throw SettingException.saying(
                    name + place(name, source) + " is no setting but a group of them, and cannot have a value.",
                    "Set what is meant below it: " + String.join(", ", members) + ".");
        }
    }

    private static String noSetting(
            ConfigurationPropertyName name, SettingNames known, ConfigurationPropertySource source) {
        return "There is no setting " + name + place(name, source)
                + known.nearest(name)
                        .map(nearest -> "; the nearest is " + nearest)
                        .orElse("") + ".";
    }

    private static boolean isShared(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && (underlying.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)
                        || underlying.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME));
    }

    private static boolean isSwitch(ConfigurationPropertyName name) {
        return name.getNumberOfElements() == 3
                && name.getLastElement(ConfigurationPropertyName.Form.UNIFORM).equals("enabled");
    }

    private static String feature(ConfigurationPropertyName name) {
        return name.getElement(1, ConfigurationPropertyName.Form.UNIFORM);
    }

    private static String place(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        return Optional.ofNullable(source.getConfigurationProperty(name))
                .map(ConfigurationProperty::getOrigin)
                .map(origin -> " (from " + origin + ")")
                .orElse("");
    }

    private static SettingException noFeature(ConfigurationPropertyName name, String place) {
        return SettingException.saying(
                "There is no feature weir." + feature(name) + ", which " + name + place
                        + " would set; the nearest is weir." + nearest(feature(name)) + ".",
                "Correct the name or remove it; the features are "
                        + ALL.stream().map(feature -> "weir." + feature).collect(Collectors.joining(", ")) + ".");
    }

    static String nearest(String given) {
        return ALL.stream()
                .min(Comparator.comparingInt(known -> Spelling.distance(given, known)))
                .orElseThrow();
    }
}
