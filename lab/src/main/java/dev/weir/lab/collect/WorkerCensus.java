package dev.weir.lab.collect;

import dev.weir.lab.collect.SeenThread.Occupation;
import dev.weir.lab.collect.ServiceSample.Activity;
import dev.weir.lab.collect.ServiceSample.Place;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts who works, over several thread dumps of one window. Two kinds of dump feed it: shallow ones of all threads,
 * deep enough to tell idle from busy, and deep ones of a few busy threads, which tell what they do and for which server.
 *
 * <p>A pool's bound is not in its stacks: the threads that exist stand for it, which is right once the pool has stopped to
 * grow under load. Not safe for use by several threads.
 */
final class WorkerCensus {
    private static final int PLACES = 5;
    private static final int HOT_FRAMES = 5;

    private final Map<String, Group> groups = new TreeMap<>();
    private int dumps;
    private boolean springBoot;

    private static final class Group {
        private int busy;
        private int most;
        private boolean pooled;
        private @Nullable HttpServerKind server;
        private final Map<PlaceKey, Integer> places = new HashMap<>();
    }

    private record PlaceKey(String where, String through, Activity activity) {}

    /** Adds a dump of all threads. */
    void addShallow(List<SeenThread> threads) {
        dumps++;
        threads.stream().collect(Collectors.groupingBy(SeenThread::group)).forEach(this::addShallow);
    }

    private void addShallow(String name, List<SeenThread> threads) {
        Group group = groups.computeIfAbsent(name, ignored -> new Group());
        List<SeenThread> workers = threads.stream().filter(counts(name)).toList();
        group.busy += (int) workers.stream().filter(WorkerCensus::busy).count();
        group.most = Math.max(group.most, workers.size());
        threads.forEach(thread -> learn(thread, group));
    }

    // Jetty lends threads of its one pool to its acceptors and selectors: those are no workers while they serve there.
    private static Predicate<SeenThread> counts(String group) {
        return thread -> !group.equals("qtp#") || thread.occupation() != Occupation.SELECTING;
    }

    private static boolean busy(SeenThread thread) {
        return thread.occupation() == Occupation.BUSY;
    }

    /** Adds a dump of some busy threads with their whole stacks; those that went idle meanwhile are left out. */
    void addDeep(List<SeenThread> threads) {
        threads.stream().filter(WorkerCensus::busy).forEach(this::addPlace);
    }

    private void addPlace(SeenThread thread) {
        Group group = groups.computeIfAbsent(thread.group(), ignored -> new Group());
        learn(thread, group);
        group.places.merge(new PlaceKey(thread.where(), thread.through(), thread.activity()), 1, Integer::sum);
    }

    private void learn(SeenThread thread, Group group) {
        group.pooled |= thread.pooled() || thread.occupation() == Occupation.IDLE;
        springBoot |= thread.springBoot();
        HttpServerKind server = thread.server();
        if (server != null && (group.server == null || server.compareTo(group.server) < 0)) {
            group.server = server;
        }
    }

    int dumps() {
        return dumps;
    }

    /** The pools seen at work: those that serve requests, and others that did anything. */
    Map<String, WorkerPool> pools() {
        return groups.entrySet().stream()
                .filter(group -> atWork(group.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, group -> pool(group.getValue())));
    }

    private static boolean atWork(Group group) {
        return group.most > 0 && (group.server != null || (group.pooled && group.busy > 0));
    }

    private WorkerPool pool(Group group) {
        List<Place> places = places(group);
        return new WorkerPool(
                (double) group.busy / dumps, group.most, "thread dumps", waitsIn(places), setting(group), places);
    }

    private @Nullable String setting(Group group) {
        return group.server == null ? null : group.server.setting(springBoot);
    }

    static @Nullable String waitsIn(List<Place> places) {
        return places.stream()
                .filter(place -> place.activity() != Activity.RUNNING)
                .findFirst()
                .map(Place::where)
                .orElse(null);
    }

    /** Where the busy threads of a group, or of the groups whose name starts so, were seen. */
    List<Place> placesOf(String prefix) {
        return groups.entrySet().stream()
                .filter(group -> group.getKey().startsWith(prefix))
                .map(group -> places(group.getValue()))
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
    }

    private static List<Place> places(Group group) {
        double seen = group.places.values().stream().mapToInt(Integer::intValue).sum();
        return group.places.entrySet().stream()
                .sorted(Map.Entry.<PlaceKey, Integer>comparingByValue().reversed())
                .limit(PLACES)
                .map(entry -> place(entry.getKey(), entry.getValue() / seen))
                .toList();
    }

    private static Place place(PlaceKey key, double share) {
        return new Place(key.where(), key.through(), key.activity(), share);
    }

    /** Share of the running request threads in each place; empty where none was seen running. */
    Map<String, Double> hotFrames() {
        Map<String, Integer> running = groups.values().stream()
                .filter(WorkerCensus::atWork)
                .flatMap(group -> group.places.entrySet().stream())
                .filter(entry -> entry.getKey().activity() == Activity.RUNNING)
                .collect(Collectors.toMap(entry -> entry.getKey().where(), Map.Entry::getValue, Integer::sum));
        double seen = running.values().stream().mapToInt(Integer::intValue).sum();
        return running.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(HOT_FRAMES)
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue() / seen));
    }

    /** Whether a platform thread was seen at work on a request. */
    boolean servesRequests() {
        return groups.values().stream().anyMatch(group -> group.server != null);
    }

    boolean springBoot() {
        return springBoot;
    }
}
