package dev.weir.core.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides what of the rows read may be under way together. */
final class Wave {
    private Wave() {}

    /**
     * All, save that an event that has failed before goes alone of its key: the next ones may only go once it has arrived, or their
     * order would be lost if it failed again.
     */
    static List<StoredEvent> of(List<StoredEvent> inOrder) {
        Set<Integer> alone = new HashSet<>();
        List<StoredEvent> wave = new ArrayList<>(inOrder.size());
        for (StoredEvent event : inOrder) {
            if (!alone.contains(event.keyHash())) {
                wave.add(event);
                if (event.attempts() > 0) {
                    alone.add(event.keyHash());
                }
            }
        }
        return wave;
    }

    /** The same events, those of each key apart, in their order. */
    static Collection<List<StoredEvent>> byKey(List<StoredEvent> wave) {
        Map<Integer, List<StoredEvent>> keys = new LinkedHashMap<>();
        wave.forEach(event ->
                keys.computeIfAbsent(event.keyHash(), key -> new ArrayList<>()).add(event));
        return keys.values();
    }
}
