package dev.weir.starter.route;

import dev.weir.core.route.ReplicaSet;
import dev.weir.core.route.Router;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** How {@code weir.route} stands. */
final class RouteFeature implements WeirFeature {

    private final RouteProperties properties;
    private final Routing routing;
    private final RouteCheck check;
    private final BooleanSupplier openSessionInView;
    private final boolean sessions;

    /**
     * @param openSessionInView whether a session of JPA, and so a connection, is kept for each whole request
     * @param sessions whether web requests carry tokens
     */
    RouteFeature(
            RouteProperties properties,
            Routing routing,
            RouteCheck check,
            BooleanSupplier openSessionInView,
            boolean sessions) {
        this.properties = properties;
        this.routing = routing;
        this.check = check;
        this.openSessionInView = openSessionInView;
        this.sessions = sessions;
    }

    @Override
    public String name() {
        return "route";
    }

    @Override
    public FeatureStatus status() {
        Router router = routing.router();
        if (router == null) {
            return new FeatureStatus(State.UNAVAILABLE, Map.of(), List.of(missing()));
        }
        State state = properties.mode() == RouteProperties.Mode.DRY_RUN ? State.DRY_RUN : State.ON;
        return new FeatureStatus(state, settings(router), warnings(router));
    }

    private String missing() {
        return properties.replicas().isEmpty()
                ? "No replica is configured: set weir.route.replicas.<name>.url."
                : "There is no HikariCP pool in a bean named %s, so nothing is routed; weir.route.data-source names another."
                        .formatted(properties.dataSource());
    }

    private Map<String, String> settings(Router router) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("primary", words(router.primaryState()));
        ReplicaSet replicas = router.replicas();
        for (int i = 0; i < replicas.names().size(); i++) {
            ReplicaSet.View view = replicas.view(i);
            settings.put(
                    replicas.names().get(i),
                    "%s, %s, %d reads"
                            .formatted(
                                    words(view.state()),
                                    view.lag(),
                                    router.counters().replicaReads(i)));
        }
        settings.put("max-lag", properties.maxLag().toMillis() + "ms");
        settings.put("replay-wait", properties.replayWait().toMillis() + "ms");
        settings.put(
                "fallback",
                router.fallbacksInUse() + " of " + properties.fallback().maxConcurrent());
        settings.put("session", sessions ? words(properties.session().carrier()) : "none");
        settings.put("self-check", described(check.finding()));
        return settings;
    }

    private static String described(RouteCheck.Finding finding) {
        return switch (finding) {
            case RouteCheck.Passed passed -> "passed";
            case RouteCheck.NotChecked not -> "not made";
            case RouteCheck.Broken broken -> "failed";
        };
    }

    private List<String> warnings(Router router) {
        List<String> warnings = new ArrayList<>();
        switch (check.finding()) {
            case RouteCheck.Broken broken -> warnings.add(broken.problem());
            case RouteCheck.NotChecked not -> warnings.add("Routing was not checked at start. " + not.reason());
            case RouteCheck.Passed passed -> {}
        }
        if (openSessionInView.getAsBoolean()) {
            warnings.add("Open-session-in-view keeps the first connection of a request for all of it, so a read-only"
                    + " transaction after the first stays where that was: set spring.jpa.open-in-view=false.");
        }
        if (sessions && properties.session().key() == null) {
            warnings.add(
                    "The key for session tokens was made at start, so no other instance accepts them: with more than one"
                            + " instance, or to keep them over a restart, set weir.route.session.key.");
        }
        if (router.primaryState() == Router.PrimaryState.IS_STANDBY) {
            warnings.add("The primary's address leads to a standby; writes are refused.");
        }
        ReplicaSet replicas = router.replicas();
        for (int i = 0; i < replicas.names().size(); i++) {
            warning(replicas.names().get(i), replicas.view(i).state(), router.replicaProblem(i))
                    .ifPresent(warnings::add);
        }
        return warnings;
    }

    /** Of what may be a mistake in the settings; one that is late comes back by itself. */
    private static Optional<String> warning(String replica, ReplicaSet.State state, String problem) {
        return switch (state) {
            case FAILED ->
                Optional.of("Replica " + replica + " takes no reads because it fails"
                        + (problem.isEmpty() ? "" : " (" + problem + ")")
                        + ": see whether it runs, and whether weir.route.replicas."
                        + replica + ".url, username and password are right.");
            case NOT_A_STANDBY ->
                Optional.of("Replica " + replica + " takes no reads because it is a primary: let weir.route.replicas."
                        + replica + ".url lead to a streaming standby.");
            case OTHER_CLUSTER ->
                Optional.of("Replica " + replica + " takes no reads because " + problem + ": let weir.route.replicas."
                        + replica + ".url lead to a streaming standby of the primary.");
            case NEW, SERVING, WARMING, BEHIND -> Optional.empty();
        };
    }

    private static String words(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
