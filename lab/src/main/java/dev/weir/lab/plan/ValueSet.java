package dev.weir.lab.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The values of one engine thread by name: one sequence per name, shared by all requests of the thread that use it. */
final class ValueSet {
    private final Map<String, Value> values = new HashMap<>();

    ValueSet(Map<String, ValueSource> sources, SplittableRandom random, int thread, int threads) {
        // In the order of the names, so that the same seed gives every name the same values.
        new TreeMap<>(sources)
                .forEach((name, source) -> values.put(name, source.create(random.split(), thread, threads)));
    }

    Value get(String name) {
        Value value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("a request uses the unknown value " + name);
        }
        return value;
    }
}
