package dev.weir.starter.defer;

import dev.weir.core.publish.Event;
import dev.weir.starter.SettingException;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A deferrable method: its calls as events, whose content is the JSON array of the arguments. Each argument is written and read by the
 * declared type of its parameter, and read back at the call, so that what was taken can be read later.
 */
final class DeferrableMethod {

    private static final int NO_KEY = -1;
    private static final int SHOWN_CHARS = 40;

    private final String name;
    private final Method method;
    private final JsonMapper mapper;
    private final List<JavaType> types;
    private final int key;

    private DeferrableMethod(String name, Method method, JsonMapper mapper, List<JavaType> types, int key) {
        this.name = name;
        this.method = method;
        this.mapper = mapper;
        this.types = types;
        this.key = key;
    }

    /**
     * @param bean class that the method is called on
     * @throws SettingException if calls of the method cannot be deferred; two sentences say why and what to do
     */
    static DeferrableMethod of(Deferrable annotation, Method method, Class<?> bean, JsonMapper mapper) {
        String name = annotation.value();
        if (name.isBlank()) {
            throw refusal(name, method, "has no name", "Name the work, such as send-invoice.");
        }
        requireName(name, method);
        AnnotatedMethods.requireVoid("@Deferrable", method);
        AnnotatedMethods.requireProxied("@Deferrable", method);
        List<JavaType> types = Arrays.stream(method.getGenericParameterTypes())
                .map(type -> mapper.constructType(GenericTypeResolver.resolveType(type, bean)))
                .toList();
        for (int i = 0; i < types.size(); i++) {
            requireReadable(name, method, method.getParameters()[i], types.get(i), mapper);
        }
        return new DeferrableMethod(name, method, mapper, types, key(annotation, method));
    }

    /** What no event can carry would fail at each call. */
    private static void requireName(String name, Method method) {
        try {
            var ignored = Event.unkeyed(name, new byte[0]);
        } catch (IllegalArgumentException refused) {
            throw refusal(
                    name.substring(0, Math.min(name.length(), SHOWN_CHARS)),
                    method,
                    "has a name that cannot be one",
                    String.valueOf(refused.getMessage()));
        }
    }

    private static int key(Deferrable annotation, Method method) {
        if (annotation.key().isEmpty()) {
            return NO_KEY;
        }
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isNamePresent() && parameters[i].getName().equals(annotation.key())) {
                return i;
            }
        }
        throw refusal(
                annotation.value(),
                method,
                "is ordered by its parameter " + annotation.key() + ", which it does not have; there is "
                        + Arrays.stream(parameters).map(Parameter::getName).collect(Collectors.joining(", ")),
                "Correct the key; if the names are arg0, arg1 compile with -parameters, as Boot's own build does.");
    }

    /** A definition that Jackson cannot read is refused, a value is not asked for. */
    private static void requireReadable(
            String name, Method method, Parameter parameter, JavaType type, JsonMapper mapper) {
        String reason = null;
        if (type.isJavaLangObject()
                || (type.isContainerType() && type.getContentType().isJavaLangObject())) {
            reason = "its type does not say what to read back";
        } else {
            try {
                var ignored = mapper.readerFor(type).readValue("{}");
            } catch (InvalidDefinitionException impossible) {
                reason = impossible.getOriginalMessage();
            } catch (JacksonException notOfThisValue) {
                // Only the definition matters.
            }
        }
        if (reason != null) {
            throw refusal(
                    name,
                    method,
                    "has the parameter " + parameter.getName() + " of type " + type.toCanonical()
                            + ", which cannot be read back from JSON: " + reason,
                    "Pass ids or a record of plain values instead; the method can load the rest.");
        }
    }

    private static SettingException refusal(String name, Method method, String what, String action) {
        return SettingException.saying(
                "@Deferrable(\"" + name + "\") on " + AnnotatedMethods.describe(method) + " " + what + ".", action);
    }

    String name() {
        return name;
    }

    Method method() {
        return method;
    }

    /**
     * A call as an event.
     *
     * @throws IllegalArgumentException if an argument cannot be written or read back, or the key is null
     */
    Event event(@Nullable Object[] arguments) {
        byte[] content = write(arguments);
        if (key == NO_KEY) {
            return Event.unkeyed(name, content);
        }
        Object value = arguments[key];
        if (value == null) {
            throw new IllegalArgumentException("The parameter " + method.getParameters()[key].getName() + " of "
                    + AnnotatedMethods.describe(method)
                    + " is null, and its value orders the deferred calls. Pass one.");
        }
        return Event.of(name, value.toString(), content);
    }

    private byte[] write(@Nullable Object[] arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int index = 0;
        try (JsonGenerator json = mapper.createGenerator(bytes)) {
            json.writeStartArray();
            for (; index < types.size(); index++) {
                writer(index).writeValue(json, arguments[index]);
            }
            json.writeEndArray();
        } catch (JacksonException unwritable) {
            throw unusable(index, "written", unwritable);
        }
        byte[] content = bytes.toByteArray();
        read(content);
        return content;
    }

    private ObjectWriter writer(int index) {
        return mapper.writerFor(types.get(index));
    }

    private ObjectReader reader(int index) {
        return mapper.readerFor(types.get(index)).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /**
     * The arguments that were written.
     *
     * @throws IllegalArgumentException if they are not arguments of this method
     */
    @Nullable
    Object[] read(byte[] content) {
        @Nullable Object[] arguments = new Object[types.size()];
        int index = 0;
        try (JsonParser json = mapper.createParser(content)) {
            requireToken(json, JsonToken.START_ARRAY);
            for (; index < arguments.length; index++) {
                if (json.nextToken() == JsonToken.END_ARRAY) {
                    throw otherArguments();
                }
                arguments[index] = reader(index).readValue(json);
            }
            requireToken(json, JsonToken.END_ARRAY);
        } catch (JacksonException unreadable) {
            throw unusable(index, "read back", unreadable);
        }
        return arguments;
    }

    private void requireToken(JsonParser json, JsonToken token) {
        if (json.nextToken() != token) {
            throw otherArguments();
        }
    }

    private IllegalArgumentException otherArguments() {
        return new IllegalArgumentException("A deferred call of " + name + " has other arguments than "
                + AnnotatedMethods.describe(method)
                + ". Keep the parameters while calls wait, or give the changed method another name.");
    }

    private IllegalArgumentException unusable(int index, String what, JacksonException cause) {
        String argument = index < types.size() ? method.getParameters()[index].getName() : "its end";
        return new IllegalArgumentException(
                "The argument " + argument + " of " + AnnotatedMethods.describe(method) + " cannot be " + what
                        + " as JSON: " + cause.getOriginalMessage(),
                cause);
    }
}
