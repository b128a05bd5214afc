package dev.weir.starter.cache;

import dev.weir.core.cache.KeyEncoder;

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

    @Override
    public String encode(Object key) {
        if (key instanceof String text) {
            return text;
        }
        Class<?> type = key.getClass();
        if (!NAMES_ITSELF.get(type)) {
            throw new IllegalArgumentException(
                    "A cache key is of class " + type.getName()
                            + ", which has no toString of its own: other nodes could not name it. Give it one, or another key.");
        }
        return type.getSimpleName() + ":" + key;
    }
}
