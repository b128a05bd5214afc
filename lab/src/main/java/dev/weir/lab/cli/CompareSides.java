package dev.weir.lab.cli;

import dev.weir.lab.compare.CommandWords;
import dev.weir.lab.compare.Contender;
import dev.weir.lab.compare.RunningService;
import dev.weir.lab.compare.ServiceFile;
import dev.weir.lab.compare.Variant;
import dev.weir.lab.plan.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that say which two things are compared. */
final class CompareSides {
    private static final String AS_GIVEN = "as given";

    @Parameters(
            arity = "0..*",
            paramLabel = "A B",
            description = "Two service files (YAML), or two URLs of services that run already.")
    private List<String> sides = new ArrayList<>();

    @Option(
            names = "--command",
            paramLabel = "'WORDS'",
            description = "Instead of two files: the command both sides start with; {port} becomes a free port.")
    private @Nullable String command;

    @Option(names = "--url", paramLabel = "URL", description = "Where the load goes, with {port}.")
    private @Nullable String url;

    @Option(
            names = "--ready",
            paramLabel = "URL",
            description = "Answers 200 to 299 when the service is ready, or tcp://HOST:PORT. Default: the URL.")
    private @Nullable String ready;

    @Option(
            names = "--ready-timeout",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "The longest to wait for that. Default: 90s.")
    private Duration readyTimeout = ServiceFile.READY_TIMEOUT;

    @Option(names = "--dir", paramLabel = "FOLDER", description = "Where the command runs. Default: here.")
    private Path directory = Path.of(".");

    @Option(names = "--a", paramLabel = "'WORDS'", description = "Arguments of A alone.")
    private String argumentsOfA = "";

    @Option(names = "--b", paramLabel = "'WORDS'", description = "Arguments of B alone.")
    private String argumentsOfB = "";

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Environment variable of both sides.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(names = "--env-a", paramLabel = "NAME=VALUE", description = "Environment variable of A alone.")
    private Map<String, String> environmentOfA = new LinkedHashMap<>();

    @Option(names = "--env-b", paramLabel = "NAME=VALUE", description = "Environment variable of B alone.")
    private Map<String, String> environmentOfB = new LinkedHashMap<>();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Property of both sides, appended as --NAME=VALUE as Spring Boot reads it.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--set-a", paramLabel = "NAME=VALUE", description = "Property of A alone.")
    private Map<String, String> propertiesOfA = new LinkedHashMap<>();

    @Option(names = "--set-b", paramLabel = "NAME=VALUE", description = "Property of B alone.")
    private Map<String, String> propertiesOfB = new LinkedHashMap<>();

    /** Both sides, A first. */
    record Pair(Contender a, Contender b) {}

    /**
     * The sides as given.
     *
     * @throws UserException with one sentence, if they are not two of a kind or incomplete
     */
    Pair pair() {
        try {
            return switch (sides.size()) {
                case 0 -> fromCommand();
                case 2 -> fromArguments(sides.getFirst(), sides.getLast());
                case 1 ->
                    throw usage("one side is given, " + sides.getFirst() + ": give two service files or two URLs, or"
                            + " --command and --url with what differs");
                default ->
                    throw usage(sides.size() + " sides are given: give two service files or two URLs; an argument"
                            + " with blanks needs quotes");
            };
        } catch (IllegalArgumentException e) {
            throw new UserException(ExitCode.USAGE, e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    private Pair fromArguments(String a, String b) {
        refuseOptionsOfTheCommand();
        if (isUrl(a) != isUrl(b)) {
            throw usage(
                    "a URL and a file are given: give two service files to start, or two URLs of services that run");
        }
        return isUrl(a)
                ? new Pair(running(a), running(b))
                : new Pair(ServiceFile.read(Path.of(a)), ServiceFile.read(Path.of(b)));
    }

    private void refuseOptionsOfTheCommand() {
        boolean any = command != null
                || url != null
                || ready != null
                || !(argumentsOfA + argumentsOfB).isEmpty()
                || List.of(environment, environmentOfA, environmentOfB, properties, propertiesOfA, propertiesOfB)
                        .stream()
                        .anyMatch(map -> !map.isEmpty());
        if (any) {
            throw usage("two sides are given: --command, --url, --ready, --a, --b, --env and --set go without them,"
                    + " service files hold the same");
        }
    }

    private static Contender running(String url) {
        return new RunningService(Target.parse(url).url());
    }

    private static boolean isUrl(String side) {
        return side.startsWith("http://") || side.startsWith("https://");
    }

    private Pair fromCommand() {
        if (command == null || url == null) {
            throw usage("nothing to compare: give two service files, two URLs, or --command and --url with what"
                    + " differs (--a, --b, --set-a, --set-b, --env-a, --env-b)");
        }
        return new Pair(
                variant(command, url, argumentsOfA, environmentOfA, propertiesOfA),
                variant(command, url, argumentsOfB, environmentOfB, propertiesOfB));
    }

    private Variant variant(
            String line, String target, String arguments, Map<String, String> variables, Map<String, String> settings) {
        List<String> words = new ArrayList<>(CommandWords.of(line));
        words.addAll(CommandWords.of(arguments));
        return new Variant(
                name(arguments, variables, settings),
                words,
                merged(environment, variables),
                merged(properties, settings),
                target,
                ready == null ? target : ready,
                readyTimeout,
                directory.toAbsolutePath().normalize());
    }

    private static String name(String arguments, Map<String, String> variables, Map<String, String> settings) {
        List<String> parts = new ArrayList<>();
        variables.forEach((key, value) -> parts.add(key + "=" + value));
        if (!arguments.isBlank()) {
            parts.add(arguments.strip());
        }
        settings.forEach((key, value) -> parts.add(key + "=" + value));
        return parts.isEmpty() ? AS_GIVEN : String.join(" ", parts);
    }

    private static SequencedMap<String, String> merged(Map<String, String> common, Map<String, String> own) {
        SequencedMap<String, String> all = new LinkedHashMap<>(common);
        all.putAll(own);
        return all;
    }

    private static UserException usage(String message) {
        return new UserException(ExitCode.USAGE, message);
    }
}
