package dev.weir.starter;

import dev.weir.starter.FeatureStatus.State;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Features that are asked for while the libraries are missing without which they are not even there to say so. */
final class AbsentFeatures {

    private static final String JDBC = "HikariCP and Spring's JDBC support, which spring-boot-starter-jdbc brings";
    private static final Map<String, String> NEEDS = Map.of("pool", JDBC, "route", JDBC);

    private final Environment environment;

    AbsentFeatures(Environment environment) {
        this.environment = environment;
    }

    /** Those that are there, and those asked for that are not. */
    Stream<WeirFeature> beside(Supplier<Stream<WeirFeature>> there) {
        List<String> names = there.get().map(WeirFeature::name).toList();
        return Stream.concat(
                there.get(),
                NEEDS.entrySet().stream()
                        .filter(need -> !names.contains(need.getKey()) && isAskedFor(need.getKey()))
                        .map(need -> new Absent(need.getKey(), need.getValue())));
    }

    private boolean isAskedFor(String name) {
        return Binder.get(environment)
                .bind("weir." + name + ".enabled", Boolean.class)
                .orElse(false);
    }

    private record Absent(String name, String needed) implements WeirFeature {

        @Override
        public FeatureStatus status() {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("It needs " + needed + ": add it, or remove weir." + name + ".enabled."));
        }
    }
}
