package dev.weir.starter.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A service outside this repository, made from nothing but the guide's own text: its files are written, compiled and run
 * in a process of their own, on the class path that its pom names.
 */
class StarterGuideIT {

    private static final Path GUIDE = Path.of("..", "docs", "guide", "starter.md");
    private static final String SOURCE = "src/main/java/hello/HelloApplication.java";
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Pattern DEPENDENCY = Pattern.compile("<artifactId>([a-z-]+)</artifactId>");

    /** Optional to the starter, so on this module's class path, and not named by the guide's pom. */
    private static final Pattern NOT_IN_THE_GUIDE = Pattern.compile(
            "(?i).*(jdbc|hikari|redis|lettuce|spring-tx|spring-boot-cache|spring-security|spring-data|spring-orm|jpa|persistence|hibernate|kafka|postgres|junit|assertj|archunit).*\\.jar");

    @TempDir
    Path folder = Path.of("set by JUnit");

    @Test
    void theGuidesServiceRunsOnVirtualThreadsAndSaysSo() throws Exception {
        GuidePage guide = GuidePage.read(GUIDE);
        guide.writeTo(folder);
        Path log = folder.resolve("log");
        Process service = run(compile(), log, "--server.port=0");
        try {
            int port = port(service, log);

            JsonNode hello = get(port, "/hello/Ada");
            assertThat(hello.path("text").asString()).isEqualTo("Hello, Ada");
            assertThat(hello.path("virtual").asBoolean()).isTrue();
            JsonNode threads = get(port, "/actuator/weir").path("features").path("threads");
            assertThat(threads.path("state").asString()).isEqualTo("on");
            assertThat(threads.path("settings").path("virtual").asString()).isEqualTo("true (set by weir.threads)");
            String logged = waitForLog(service, log, Pattern.compile("weir\\.threads: No limiter"));
            assertThat(logged).contains("Weir's features:").contains("threads  on ");
            assertThat(guide.text()).contains("weir.threads: No limiter");
        } finally {
            stop(service);
        }
    }

    @Test
    void aWrongValueIsAnsweredAsTheGuideShows() throws Exception {
        GuidePage guide = GuidePage.read(GUIDE);
        guide.writeTo(folder);
        Path log = folder.resolve("log");
        Process service = run(compile(), log, "--server.port=0", "--weir.threads.pinning.threshold=soon");
        try {
            assertThat(service.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(service.exitValue()).isEqualTo(1);
            Matcher shown = Pattern.compile("Description:\\n\\n(.*?)\\n\\nAction:\\n\\n(.*?)\\n", Pattern.DOTALL)
                    .matcher(guide.text());
            assertThat(shown.find()).isTrue();
            assertThat(Files.readString(log)).contains(shown.group(1)).contains(shown.group(2));
        } finally {
            stop(service);
        }
    }

    @Test
    void thePomOfTheGuideNamesWhatTheClassPathHolds() throws IOException {
        String pom = Objects.requireNonNull(GuidePage.read(GUIDE).files().get("pom.xml"));
        String classPath = classPath();

        List<String> named = DEPENDENCY
                .matcher(pom.substring(pom.indexOf("<dependencies>"), pom.indexOf("</dependencies>")))
                .results()
                .map(artifact -> artifact.group(1))
                .toList();

        assertThat(named).contains("weir-spring-boot-starter");
        assertThat(named.stream().filter(artifact -> !artifact.startsWith("weir-")))
                .isNotEmpty()
                .allMatch(artifact -> classPath.contains(artifact + "-"));
    }

    private Path compile() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int exit = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "--release",
                        "21",
                        "-cp",
                        classPath(),
                        "-d",
                        classes.toString(),
                        folder.resolve(SOURCE).toString());
        assertThat(exit).isZero();
        return classes;
    }

    private Process run(Path classes, Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(
                        File.pathSeparator,
                        classes.toString(),
                        folder.resolve("src/main/resources").toString(),
                        classPath()),
                "hello.HelloApplication"));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !NOT_IN_THE_GUIDE.matcher(entry).matches())
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static int port(Process service, Path log) throws IOException {
        Matcher port = PORT.matcher(waitForLog(service, log, PORT));
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    private static String waitForLog(Process service, Path log, Pattern pattern) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        String text = Files.readString(log);
        while (!pattern.matcher(text).find()) {
            assertThat(service.isAlive() && System.nanoTime() < deadline)
                    .as(text)
                    .isTrue();
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            text = Files.readString(log);
        }
        return text;
    }

    private static JsonNode get(int port, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            return JsonMapper.shared().readTree(answer.body());
        }
    }

    private static void stop(Process service) throws InterruptedException {
        service.destroy();
        if (!service.waitFor(20, TimeUnit.SECONDS)) {
            service.destroyForcibly();
        }
    }
}
