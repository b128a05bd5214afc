package dev.weir.starter.cache;

import dev.weir.core.cache.KeyEncoder;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.ReflectionUtils;

/**
 * Names of Spring's cache keys: text as it is, anything else behind its class, so that 1 and "1" differ. Text that could be the
 * name of something else, such as "Long:1", goes behind its class too; and so that little text looks like that, names
 * of classes that do not begin like most, or that are used here, have a dot before them.
 *
 * <p>Equal keys have equal names: a list or set of one class equals one of another, so they go by what they hold.
 */
final class SpringKeys implements KeyEncoder<Object> {

    private static final ClassValue<Boolean> NAMES_ITSELF = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException never) {
                return false;
            }
        }
    };

    /** What Spring makes a key of several arguments of; it tells them to nobody, and its own text runs them together. */
    private static final @Nullable Field ARGUMENTS =
            ReflectionUtils.findField(SimpleKey.class, "params", Object[].class);

    static {
        if (ARGUMENTS != null) {
            ReflectionUtils.makeAccessible(ARGUMENTS);
        }
    }

    private static final Pattern ORDINARY = Pattern.compile("[A-Z][A-Za-z0-9_$]*");
    private static final Pattern BEHIND_A_NAME = Pattern.compile("\\.|" + ORDINARY + ":");
    private static final Set<String> USED_HERE =
            Set.of("String", "SimpleKey", "List", "Set", "Map", "Entry", "Optional");

    @Override
    public String encode(Object key) {
        return key instanceof String text && !BEHIND_A_NAME.matcher(text).lookingAt() ? text : named(key);
    }

    private static String named(Object key) {
        return switch (key) {
            case String text -> "String:" + text;
            case SimpleKey several -> "SimpleKey:" + arguments(several);
            case List<?> list -> "List:" + joined(list);
            case Set<?> set -> "Set:" + inAnyOrder(set.stream().map(SpringKeys::part));
            case Map<?, ?> map -> "Map:" + inAnyOrder(map.entrySet().stream().map(SpringKeys::part));
            case Map.Entry<?, ?> entry -> "Entry:" + joined(Arrays.asList(entry.getKey(), entry.getValue()));
            case Optional<?> optional -> "Optional:" + part(optional.orElse(null));
            case Enum<?> constant -> behind(constant.getDeclaringClass(), constant.name());
            default -> behind(key.getClass(), text(key));
        };
    }

    private static String behind(Class<?> type, String text) {
        String name = type.getSimpleName();
        boolean ordinary = ORDINARY.matcher(name).matches() && !USED_HERE.contains(name);
        return (ordinary ? "" : ".") + name + ":" + text;
    }

    private static String text(Object key) {
        if (!NAMES_ITSELF.get(key.getClass())) {
            throw new IllegalArgumentException(
                    "A cache key is of class " + key.getClass().getName()
                            + ", which has no toString of its own: other nodes could not name it. Give it one, or another key.");
        }
        return key.toString();
    }

    private static String arguments(SimpleKey key) {
        if (ARGUMENTS == null) {
            return key.toString();
        }
        Object[] arguments = (Object[]) ReflectionUtils.getField(ARGUMENTS, key);
        return arguments == null ? "" : joined(Arrays.asList(arguments));
    }

    private static String part(@Nullable Object argument) {
        if (argument == null) {
            return "";
        }
        if (argument instanceof Object[] array) {
            return "[]" + joined(Arrays.asList(array));
        }
        Class<?> type = argument.getClass();
        return type.isArray() ? type.getSimpleName() + Arrays.deepToString(new Object[] {argument}) : named(argument);
    }

    private static String joined(Collection<?> parts) {
        return joined(parts.stream().map(SpringKeys::part));
    }

    private static String inAnyOrder(Stream<String> parts) {
        return joined(parts.sorted());
    }

    /** Each with its length before it, so that ("a, b", "c") and ("a", "b, c") differ. */
    private static String joined(Stream<String> parts) {
        return parts.map(part -> part.length() + " " + part).collect(Collectors.joining());
    }
}
