package dev.weir.core.express;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The routes of a service, shared by both lanes. The first that matches answers. Immutable. */
public final class ExpressRoutes {

    private final List<ExpressRoute<?, ?>> routes;
    private final ExpressRoute<?, ?>[] array;

    public ExpressRoutes(List<? extends ExpressRoute<?, ?>> routes) {
        this.routes = List.copyOf(routes);
        array = this.routes.toArray(new ExpressRoute<?, ?>[0]);
        Set<String> paths = new HashSet<>();
        for (ExpressRoute<?, ?> route : array) {
            if (!paths.add(route.path())) {
                throw new IllegalArgumentException("Two express routes have the path " + route.path()
                        + "; declare it once, with all its media types.");
            }
        }
    }

    /** The routes in the order of declaration. */
    public List<ExpressRoute<?, ?>> all() {
        return routes;
    }

    int count() {
        return array.length;
    }

    ExpressRoute<?, ?> at(int index) {
        return array[index];
    }
}
