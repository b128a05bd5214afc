package dev.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script in a folder of its own, with JDKs and a Maven that only say how they were called. */
class LauncherTest {
    private static final Path SCRIPT = Path.of("..", "weir");

    @TempDir
    private Path folder;

    private Path home;
    private Path tools;

    @BeforeEach
    void copyTheScript() throws IOException {
        home = Files.createDirectories(folder.resolve("a checkout"));
        tools = Files.createDirectories(folder.resolve("tools"));
        Files.copy(SCRIPT, home.resolve("weir"));
        Files.createDirectories(home.resolve(".mvn"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.createDirectories(home.resolve("app/src/main"));
        fakeMaven(
                "mkdir -p app/target && echo libs >app/target/libraries.classpath; echo '[INFO] Building Weir lab 1'");
    }

    @Test
    void runsTheCommandWithTheJdkOfJavaHome() throws Exception {
        Path jdk = fakeJdk("jdk-25", "25.0.3");

        Run run = launch(Map.of("JAVA_HOME", jdk.toString()), "load", "a b");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("jdk-25").contains("dev.weir.app.Main load a b");
        assertThat(run.err()).contains("building").contains(" lab").contains("done");
    }

    @Test
    void findsItsFolderThroughALinkFromAnotherOne() throws Exception {
        Path jdk = fakeJdk("jdk-25", "25.0.3");
        Path link = Files.createSymbolicLink(tools.resolve("weir-link"), Path.of("../a checkout/weir"));

        Run run = launch(link, Map.of("JAVA_HOME", jdk.toString()), "--version");

        assertThat(run.exitCode()).isZero();
        assertThat(home.resolve("app/target/weir.built")).exists();
    }

    @Test
    void needsNoHomeFolder() throws Exception {
        Run run = launch(Map.of("JAVA_HOME", folder.resolve("none").toString(), "HOME", ""), "--version");

        assertThat(run.err()).doesNotContain("parameter not set");
    }

    @Test
    void passesOverAJdkThatIsTooOld() throws Exception {
        Path old = fakeJdk("jdk-17", "17.0.15");

        Run run = launch(Map.of("JAVA_HOME", old.toString()), "--version");

        assertThat(run.out()).doesNotContain("jdk-17");
    }

    @Test
    void saysWhereItLookedWhenNoJdkFits() throws Exception {
        Path script = home.resolve("weir");
        Files.writeString(script, Files.readString(script).replace("MIN_JAVA=25", "MIN_JAVA=999"));
        Path old = fakeJdk("jdk-17", "17.0.15");

        Run run = launch(Map.of("JAVA_HOME", old.toString()), "--version");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .contains("no JDK 999 or later found")
                .contains("JAVA_HOME (" + old + ")")
                .contains(old + ": JDK 17")
                .contains("Install one");
    }

    @Test
    void buildsOnlyWhatIsStale() throws Exception {
        Map<String, String> environment =
                Map.of("JAVA_HOME", fakeJdk("jdk-25", "25.0.3").toString());
        launch(environment, "--version");

        Run second = launch(environment, "--version");
        Path edited = Files.writeString(home.resolve("app/src/main/Edited.java"), "");
        Files.setLastModifiedTime(edited, FileTime.from(Instant.now().plusSeconds(5)));
        Run third = launch(environment, "--version");

        assertThat(second.err()).isEmpty();
        assertThat(third.err()).contains("building");
    }

    @Test
    void showsTheErrorsOfAFailedBuildAndRunsNothing() throws Exception {
        fakeMaven("echo '[ERROR] Edited.java:[3,1] cannot find symbol'; exit 1");

        Run run = launch(Map.of("JAVA_HOME", fakeJdk("jdk-25", "25.0.3").toString()), "--version");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("cannot find symbol").contains("target/weir-build.log");
    }

    @Test
    void clearsTheLockOfABuildThatDied() throws Exception {
        Path lock = Files.createDirectories(home.resolve("target/weir-build.lock"));
        Files.writeString(lock.resolve("pid"), "999999999\n");

        Run run = launch(Map.of("JAVA_HOME", fakeJdk("jdk-25", "25.0.3").toString()), "--version");

        assertThat(run.exitCode()).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void testRunsMavenWithTheJdkItFound() throws Exception {
        fakeMaven("echo \"maven $JAVA_HOME $*\"");
        Path jdk = fakeJdk("jdk-25", "25.0.3");

        Run run = launch(Map.of("JAVA_HOME", jdk.toString()), "test", "-pl", "lab");

        assertThat(run.out()).contains("maven " + jdk + " -B verify -pl lab");
    }

    private Run launch(Map<String, String> environment, String... arguments) throws Exception {
        return launch(home.resolve("weir"), environment, arguments);
    }

    private Run launch(Path script, Map<String, String> environment, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(environment);
        builder.environment().values().removeIf(String::isEmpty);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Path fakeJdk(String name, String version) throws IOException {
        Path jdk = folder.resolve(name);
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        executable(jdk.resolve("bin/java"), "echo \"" + name + " $*\"");
        executable(jdk.resolve("bin/javac"), "echo javac " + version);
        return jdk;
    }

    private void fakeMaven(String script) throws IOException {
        executable(tools.resolve("mvn"), script);
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private record Run(int exitCode, String out, String err) {}
}
