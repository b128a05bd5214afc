package dev.weir.starter;

import java.beans.PropertyDescriptor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * The names that settings below a prefix can have, read off the class they are bound to: the components of records, of
 * records within them and of records in maps, whose keys are free. Immutable.
 */
final class SettingNames {

    /** Stands for the key of a map. */
    private static final String KEY = "*";

    /** Stands for whatever follows the name of a map of plain values. */
    private static final String REST = "**";

    private static final int SURELY_NEAR = 2;

    private final List<List<String>> patterns;

    private SettingNames(List<List<String>> patterns) {
        this.patterns = patterns;
    }

    /** Of a feature; empty where it has none. */
    static SettingNames ofFeature(String feature) {
        String simple = Character.toUpperCase(feature.charAt(0)) + feature.substring(1) + "Properties";
        try {
            // Each feature keeps them in its own package, by this name.
            Class<?> type = Class.forName(
                    SettingNames.class.getPackageName() + "." + feature + "." + simple,
                    false,
                    SettingNames.class.getClassLoader());
            return of("weir." + feature, type);
        } catch (ClassNotFoundException | LinkageError none) {
            return new SettingNames(List.of());
        }
    }

    /** Of what is bound to this class, a record or a bean, below this prefix. */
    static SettingNames of(String prefix, Class<?> type) {
        List<List<String>> patterns = new ArrayList<>();
        collect(List.of(prefix.split("\\.", -1)), ResolvableType.forClass(type), patterns, true);
        return new SettingNames(List.copyOf(patterns));
    }

    private static void collect(
            List<String> name, ResolvableType bound, List<List<String>> patterns, boolean outermost) {
        Class<?> type = bound.resolve(Object.class);
        if (type.isRecord() && type != Rate.class) {
            for (RecordComponent component : type.getRecordComponents()) {
                String own = DataObjectPropertyName.toDashedForm(component.getName());
                collect(with(name, own), ResolvableType.forType(component.getGenericType()), patterns, false);
            }
        } else if (Map.class.isAssignableFrom(type)) {
            ResolvableType value = bound.asMap().getGeneric(1);
            if (value.resolve(Object.class).isRecord()) {
                collect(with(name, KEY), value, patterns, false);
            } else {
                patterns.add(with(name, REST));
            }
        } else if (outermost) {
            for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
                if (property.getWriteMethod() != null) {
                    patterns.add(with(name, DataObjectPropertyName.toDashedForm(property.getName())));
                }
            }
        } else {
            patterns.add(name);
        }
    }

    private static List<String> with(List<String> name, String element) {
        return Stream.concat(name.stream(), Stream.of(element)).toList();
    }

    boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** Whether it names a setting, an element of a list, or a part of the settings as a whole. */
    boolean contains(ConfigurationPropertyName name) {
        List<String> given = IntStream.range(0, name.getNumberOfElements())
                .filter(i -> !name.isNumericIndex(i))
                .mapToObj(i -> name.getElement(i, Form.UNIFORM))
                .toList();
        return patterns.stream().anyMatch(pattern -> isOf(pattern, given));
    }

    private static boolean isOf(List<String> pattern, List<String> given) {
        for (int i = 0; i < given.size(); i++) {
            if (i == pattern.size()) {
                return false;
            }
            String wanted = pattern.get(i);
            if (wanted.equals(REST)) {
                return true;
            }
            if (!wanted.equals(KEY) && !wanted.replace("-", "").equals(given.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What stands directly below the name of a group of settings; empty for a setting, and for a name that is none. */
    List<String> membersOf(ConfigurationPropertyName name) {
        List<String> given = IntStream.range(0, name.getNumberOfElements())
                .mapToObj(i -> name.getElement(i, Form.UNIFORM))
                .toList();
        return patterns.stream()
                .filter(pattern -> pattern.size() > given.size() && isOf(pattern, given))
                .map(pattern -> pattern.get(given.size()))
                .map(element -> element.startsWith(KEY) ? "<name>" : element)
                .distinct()
                .toList();
    }

    /**
     * Whether it names a setting as a variable of the environment does, in whose name a dot, a dash and an underscore look alike.
     */
    boolean containsVariable(ConfigurationPropertyName name) {
        String given = squeezed(name.toString());
        return patterns.stream().anyMatch(pattern -> {
            List<String> fixed = pattern.stream()
                    .takeWhile(element -> !element.startsWith(KEY))
                    .toList();
            String wanted = squeezed(String.join("", fixed));
            return fixed.size() == pattern.size() ? given.equals(wanted) : given.startsWith(wanted);
        });
    }

    private static String squeezed(String name) {
        return name.replaceAll("[^a-zA-Z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** The setting whose name looks most like this one, where one does. */
    Optional<String> nearest(ConfigurationPropertyName name) {
        String given = name.toString();
        int most = Math.max(SURELY_NEAR, (given.length() - given.indexOf('.', given.indexOf('.') + 1)) / 3);
        return patterns.stream()
                .map(pattern -> new Candidate(filled(pattern, given), given))
                .filter(candidate -> candidate.cost() <= most)
                .min(Comparator.comparingInt(Candidate::cost).thenComparingInt(Candidate::distance))
                .map(Candidate::name);
    }

    /** The pattern with the keys of the given name in the places of its own. */
    private static String filled(List<String> pattern, String given) {
        String[] elements = given.split("\\.", -1);
        List<String> filled = new ArrayList<>();
        for (int i = 0; i < pattern.size(); i++) {
            boolean known = i < elements.length;
            switch (pattern.get(i)) {
                case KEY -> filled.add(known ? elements[i] : "<name>");
                case REST ->
                    filled.add(known ? String.join(".", Arrays.copyOfRange(elements, i, elements.length)) : "<name>");
                default -> filled.add(pattern.get(i));
            }
        }
        return String.join(".", filled);
    }

    /** A name of ours beside the one that was given. */
    private record Candidate(String name, int distance, int distanceOfEnds) {

        Candidate(String name, String given) {
            this(name, Spelling.distance(given, name), Spelling.distance(end(given), end(name)));
        }

        private static String end(String name) {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        /** Who forgot a level on the way, or put one in, meant the setting of the same last name. */
        int cost() {
            return Math.min(distance, SURELY_NEAR + distanceOfEnds);
        }
    }
}
