package dev.weir.starter.shed;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.env.Environment;

/**
 * Paths that are always admitted with everything below them: those of the settings, and those that watch the service, where they lie
 * on its own port. All of them follow the context path; those that watch also the dispatcher's ({@code spring.mvc.servlet.path}).
 */
final class ExemptPaths {

    private static final int DEFAULT_PORT = 8080;

    private final List<String> paths;

    private ExemptPaths(List<String> paths) {
        this.paths = paths;
    }

    static ExemptPaths of(List<String> set, Environment environment) {
        List<String> paths = new ArrayList<>(set);
        String dispatcher = withoutSlash(environment.getProperty("spring.mvc.servlet.path", ""));
        if (sharesPort(environment)) {
            String base = withoutSlash(environment.getProperty("management.endpoints.web.base-path", "/actuator"));
            // Without a base path the actuator's endpoints lie among the service's own.
            List<String> watching = base.isEmpty() ? List.of("/health", "/metrics", "/prometheus") : List.of(base);
            watching.forEach(path -> paths.add(dispatcher + path));
        }
        paths.addAll(List.of(dispatcher + "/livez", dispatcher + "/readyz"));
        return new ExemptPaths(List.copyOf(paths));
    }

    /** As Boot's ManagementPortType decides it, which the service may lack. */
    private static boolean sharesPort(Environment environment) {
        Integer management = environment.getProperty("management.server.port", Integer.class);
        int own = environment.getProperty("server.port", Integer.class, DEFAULT_PORT);
        return management == null || (management != 0 && management == own);
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    List<String> paths() {
        return paths;
    }

    /** By the path the container matches with, decoded and without dots: what is exempt must not be a matter of spelling. */
    boolean contains(HttpServletRequest request) {
        String path = request.getPathInfo() == null
                ? request.getServletPath()
                : request.getServletPath() + request.getPathInfo();
        for (String prefix : paths) {
            if (path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/')) {
                return true;
            }
        }
        return false;
    }
}
