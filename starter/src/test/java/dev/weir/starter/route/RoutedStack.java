package dev.weir.starter.route;

import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A primary with one standby, and the settings that lead a service to both. */
final class RoutedStack {

    private RoutedStack() {}

    static Stack start(boolean withRedis) throws Exception {
        return Stack.start(
                StackConfig.defaults()
                        .withStandbys(1)
                        .withRedis(withRedis)
                        .withStartTimeout(Duration.ofMinutes(3))
                        .withCacheFolder(Path.of("target", "stack-cache").toAbsolutePath()),
                StackProgress.silent());
    }

    static String[] settings(Stack stack, String... more) {
        List<String> ours = List.of(
                "--spring.main.banner-mode=off",
                "--spring.datasource.url=" + stack.postgres().jdbcUrl(),
                "--spring.datasource.username=" + stack.postgres().user(),
                "--spring.datasource.password=" + stack.postgres().password(),
                "--weir.route.enabled=true",
                "--weir.route.max-lag=1m",
                "--weir.route.slow-start=0s",
                "--weir.route.replicas.replica-1.url="
                        + stack.postgres().standbyJdbcUrls().getFirst());
        return Stream.concat(ours.stream(), Stream.of(more)).toArray(String[]::new);
    }
}
