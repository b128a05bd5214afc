package dev.weir.starter.express;

import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.Lane;
import dev.weir.core.express.PortLane;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How {@code weir.express} stands: which lane runs and why, and what each has answered. */
final class ExpressFeature implements WeirFeature {

    private final boolean enabled;
    private final boolean servlet;
    private final Supplier<List<ExpressRoute<?, ?>>> routes;
    private final Supplier<@Nullable PortLane> lane;

    /** @param servlet whether the application is one of servlets */
    ExpressFeature(
            boolean enabled,
            boolean servlet,
            Supplier<List<ExpressRoute<?, ?>>> routes,
            Supplier<@Nullable PortLane> lane) {
        this.enabled = enabled;
        this.servlet = servlet;
        this.routes = routes;
        this.lane = lane;
    }

    @Override
    public String name() {
        return "express";
    }

    @Override
    public FeatureStatus status() {
        List<ExpressRoute<?, ?>> declared = routes.get();
        if (!enabled) {
            // No warning: who switches it off to compare has not forgotten it.
            Map<String, String> idle =
                    declared.isEmpty() ? Map.of() : Map.of("routes", declared.size() + " declared, not used");
            return new FeatureStatus(State.OFF, idle, List.of());
        }
        if (!servlet) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("Express routes need a servlet application; remove weir.express.enabled here."));
        }
        if (declared.isEmpty()) {
            return new FeatureStatus(
                    State.ON, Map.of("routes", "0"), List.of("No bean of type ExpressRoute is declared; declare one."));
        }
        return new FeatureStatus(State.ON, settings(declared), List.of());
    }

    private Map<String, String> settings(List<ExpressRoute<?, ?>> declared) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("routes", Integer.toString(declared.size()));
        PortLane port = lane.get();
        settings.put("port lane", port == null ? "off" : port.state());
        settings.put("answered by the poller", Long.toString(answered(declared, Lane.PORT)));
        settings.put("answered by the filter", Long.toString(answered(declared, Lane.FILTER)));
        return settings;
    }

    private static long answered(List<ExpressRoute<?, ?>> declared, Lane lane) {
        return declared.stream()
                .mapToLong(route ->
                        route.counts().requests(lane, 200) + route.counts().requests(lane, 304))
                .sum();
    }
}
