package dev.weir.starter.cache;

import dev.weir.core.cache.KeyEncoder;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.ReflectionUtils;

/** Names of Spring's cache keys: text as it is, anything else behind its class, so that 1 and "1" differ. */
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

    @Override
    public String encode(Object key) {
        if (key instanceof String text) {
            return text;
        }
        return key instanceof SimpleKey && ARGUMENTS != null
                ? "SimpleKey:" + parts((Object[]) ReflectionUtils.getField(ARGUMENTS, key))
                : named(key);
    }

    /** Each with its length before it, so that ("a, b", "c") and ("a", "b, c") differ. */
    private static String parts(Object @Nullable [] arguments) {
        StringBuilder parts = new StringBuilder();
        for (Object argument : arguments == null ? new Object[0] : arguments) {
            String part = part(argument);
            parts.append(part.length()).append(' ').append(part);
        }
        return parts.toString();
    }

    private static String part(@Nullable Object argument) {
        if (argument == null) {
            return "";
        }
        if (argument instanceof Object[] array) {
            return "[]" + parts(array);
        }
        return argument.getClass().isArray() ? Arrays.deepToString(new Object[] {argument}) : named(argument);
    }

    private static String named(Object key) {
        Class<?> type = key.getClass();
        if (!NAMES_ITSELF.get(type)) {
            throw new IllegalArgumentException(
                    "A cache key is of class " + type.getName()
                            + ", which has no toString of its own: other nodes could not name it. Give it one, or another key.");
        }
        return type.getSimpleName() + ":" + key;
    }
}
