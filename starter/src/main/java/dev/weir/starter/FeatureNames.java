package dev.weir.starter;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
 * Refuses settings of features that do not exist: one that is misspelt would otherwise be off without a word. Environment
 * variables and system properties belong to others as well, so of those only what ends in {@code enabled} is looked at.
 */
final class FeatureNames implements BeanFactoryPostProcessor {

    /** Every feature of the starter, by its name below {@code weir}. */
    static final List<String> ALL =
            List.of("cache", "defer", "express", "outbox", "pool", "publish", "route", "threads");

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("weir");

    private final Environment environment;

    FeatureNames(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                unknown(names).ifPresent(name -> {
                    throw refusal(name, Optional.ofNullable(source.getConfigurationProperty(name)));
                });
            }
        }
    }

    private static Optional<ConfigurationPropertyName> unknown(IterableConfigurationPropertySource source) {
        boolean shared = isShared(source);
        return source.stream()
                .filter(OURS::isAncestorOf)
                .filter(name -> !ALL.contains(feature(name)))
                .filter(name -> !shared || isSwitch(name))
                .findFirst();
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

    private static SettingException refusal(ConfigurationPropertyName name, Optional<ConfigurationProperty> property) {
        String place = property.map(ConfigurationProperty::getOrigin)
                .map(origin -> " (from " + origin + ")")
                .orElse("");
        return SettingException.saying(
                "There is no feature weir." + feature(name) + ", which " + name + place
                        + " would set; the nearest is weir." + nearest(feature(name)) + ".",
                "Correct the name or remove it; the features are "
                        + ALL.stream().map(feature -> "weir." + feature).collect(Collectors.joining(", ")) + ".");
    }

    static String nearest(String given) {
        return ALL.stream()
                .min(Comparator.comparingInt(known -> distance(given, known)))
                .orElseThrow();
    }

    /**
     * Letters to insert, delete, replace or swap with their neighbour (optimal string alignment, after Damerau 1964,
     * https://doi.org/10.1145/363958.363994).
     */
    private static int distance(String one, String other) {
        int[][] least = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                least[i][j] = i == 0 || j == 0 ? i + j : step(least, one, other, i, j);
            }
        }
        return least[one.length()][other.length()];
    }

    private static int step(int[][] least, String one, String other, int i, int j) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int best = Math.min(least[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(best, 1 + least[i - 2][j - 2]) : best;
    }
}
