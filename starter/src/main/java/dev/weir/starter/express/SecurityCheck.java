package dev.weir.starter.express;

import dev.weir.core.express.ExpressRoute;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Refuses to start where a route that is not declared open lies behind Spring Security: each chain is asked with a request
 * for the route's path, as it would be asked for a real one. A chain that cannot tell counts as one that guards.
 */
final class SecurityCheck implements SmartInitializingSingleton {

    private final List<ExpressRoute<?, ?>> routes;
    private final List<SecurityFilterChain> chains;
    private final String contextPath;

    SecurityCheck(List<ExpressRoute<?, ?>> routes, List<SecurityFilterChain> chains, String contextPath) {
        this.routes = routes;
        this.chains = chains;
        this.contextPath = contextPath;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (ExpressRoute<?, ?> route : routes) {
            if (!route.isOpenToAll() && isGuarded(route.path().replaceAll("\\{[^}]*}", "1"))) {
                throw new GuardedRouteException(route.path());
            }
        }
    }

    private boolean isGuarded(String path) {
        for (SecurityFilterChain chain : chains) {
            if (mayMatch(chain, path)) {
                return !chain.getFilters().isEmpty();
            }
        }
        return false;
    }

    private boolean mayMatch(SecurityFilterChain chain, String path) {
        try {
            return chain.matches(request(path));
        } catch (RuntimeException cannotTell) {
            return true;
        }
    }

    /** A GET of the path, with as much of a request as matchers look at. */
    private HttpServletRequest request(String path) {
        Map<Object, Object> attributes = new HashMap<>();
        return proxy(HttpServletRequest.class, (method, arguments) -> switch (method) {
            case "getMethod" -> "GET";
            case "getRequestURI" -> contextPath + path;

            case "getContextPath" -> contextPath;
            case "getServletPath" -> path;
            case "getScheme" -> "http";
            case "getServerName", "getRemoteHost" -> "localhost";
            case "getRemoteAddr" -> "127.0.0.1";
            case "getServerPort" -> 80;
            case "getDispatcherType" -> DispatcherType.REQUEST;
            case "getHttpServletMapping" -> mapping();
            case "getHeaders", "getHeaderNames", "getParameterNames", "getAttributeNames" ->
                Collections.emptyEnumeration();
            case "getAttribute" -> attributes.get(arguments[0]);
            case "setAttribute" -> attributes.put(arguments[0], arguments[1]);
            case "removeAttribute" -> attributes.remove(arguments[0]);
            default -> null;
        });
    }

    private static HttpServletMapping mapping() {
        return proxy(HttpServletMapping.class, (method, arguments) -> switch (method) {
            case "getMappingMatch" -> MappingMatch.DEFAULT;
            case "getPattern" -> "/";
            default -> "";
        });
    }

    /** What a method of the given name answers. */
    private interface Answers {
        @Nullable
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                SecurityCheck.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer(method, answers, arguments)));
    }

    private static @Nullable Object answer(Method method, Answers answers, Object @Nullable [] arguments) {
        Object answer = answers.to(method.getName(), Objects.requireNonNullElse(arguments, new Object[0]));
        if (method.getReturnType() == void.class) {
            return null;
        }
        return answer == null && method.getReturnType().isPrimitive() ? zero(method.getReturnType()) : answer;
    }

    private static Object zero(Class<?> primitive) {
        return primitive == boolean.class ? (Object) false : primitive == long.class ? (Object) 0L : (Object) 0;
    }
}
