package dev.weir.starter;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** A value below {@code weir.} that is not of its type, that its record refuses, or whose name is not known. */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class WeirBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("weir");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (!OURS.equals(cause.getName()) && !OURS.isAncestorOf(cause.getName())) {
            return null;
        }
        UnboundConfigurationPropertiesException unknown =
                findCause(cause, UnboundConfigurationPropertiesException.class);
        if (unknown != null) {
            var known = SettingNames.of(
                    cause.getName().toString(), cause.getTarget().getType().resolve(Object.class));
            return unknownName(unknown, known, rootFailure);
        }
        ConfigurationProperty property = cause.getProperty();
        if (property != null && isConversion(cause)) {
            return wrongType(property, cause.getTarget().getType().resolve(Object.class), rootFailure);
        }
        return refused(cause, rootFailure);
    }

    private boolean isConversion(BindException cause) {
        return findCause(cause, ConversionFailedException.class) != null
                || findCause(cause, ConverterNotFoundException.class) != null;
    }

    /** What was not bound has no such name, or no value: Boot does not tell the two apart. */
    private static FailureAnalysis unknownName(
            UnboundConfigurationPropertiesException unknown, SettingNames known, Throwable failure) {
        List<ConfigurationProperty> nameless = unknown.getUnboundProperties().stream()
                .filter(property -> !known.contains(property.getName()))
                .toList();
        if (nameless.isEmpty()) {
            return new FailureAnalysis(
                    unknown.getUnboundProperties().stream()
                                    .map(property -> property.getName() + " is '" + property.getValue() + "' ("
                                            + place(property) + ")")
                                    .collect(Collectors.joining(", "))
                            + ": it must have a value.",
                    "Give one, or remove it to use the default.",
                    failure);
        }
        String names = nameless.stream()
                .map(property -> property.getName() + " (" + place(property)
                        + known.nearest(property.getName())
                                .map(nearest -> "; the nearest is " + nearest)
                                .orElse("")
                        + ")")
                .collect(Collectors.joining(", "));
        return new FailureAnalysis("There is no setting " + names + ".", FeatureNames.NO_SETTING_ACTION, failure);
    }

    private static FailureAnalysis wrongType(ConfigurationProperty property, Class<?> type, Throwable failure) {
        return new FailureAnalysis(
                property.getName() + " is '" + property.getValue() + "' (" + place(property) + "): it must be "
                        + allowed(ClassUtils.resolvePrimitiveIfNecessary(type)) + ".",
                "Correct the value, or remove it to use the default.",
                failure);
    }

    /** A check in core says the whole sentence itself. */
    private @Nullable FailureAnalysis refused(BindException cause, Throwable failure) {
        IllegalArgumentException refusal = findCause(cause, IllegalArgumentException.class);
        if (refusal == null || refusal.getMessage() == null) {
            return null;
        }
        return new FailureAnalysis(
                "The settings below " + cause.getName() + " cannot be used: " + refusal.getMessage(),
                "Correct the value, or remove it to use the default.",
                failure);
    }

    private static String place(ConfigurationProperty property) {
        return property.getOrigin() == null ? "from the environment" : "from " + Objects.toString(property.getOrigin());
    }

    private static String allowed(Class<?> type) {
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == Duration.class) {
            return "a duration with its unit, such as 20ms or 30s";
        }
        if (type == DataSize.class) {
            return "a size with its unit, such as 512KB";
        }
        if (type == Rate.class) {
            return Rate.ALLOWED;
        }
        if (type == Integer.class) {
            return "a whole number, at most " + Integer.MAX_VALUE;
        }
        if (type == Long.class) {
            return "a whole number";
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        return type.isEnum() ? oneOf(type) : "a value of type " + type.getSimpleName();
    }

    private static String oneOf(Class<?> type) {
        return "one of "
                + Arrays.stream(type.getEnumConstants())
                        .map(value -> value.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .collect(Collectors.joining(", "));
    }
}
