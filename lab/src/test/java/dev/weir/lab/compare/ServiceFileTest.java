package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceFileTest {

    @TempDir
    Path folder;

    @Test
    void readsAllThatCanBeSet() throws IOException {
        Variant variant = ServiceFile.read(file("""
                name: tuned
                command: java -jar 'my app.jar' --server.port={port}
                directory: work
                env:
                  SPRING_PROFILES_ACTIVE: tuned
                  ADMIN_PORT: "{port}"
                properties:
                  server.tomcat.threads.max: 800
                  spring:
                    threads.virtual.enabled: true
                url: http://127.0.0.1:{port}/products/1
                ready: http://127.0.0.1:{port}/actuator/health
                ready-timeout: 2m
                """));

        ServiceStart start = variant.on(8123, folder.resolve("a.log"));

        assertThat(variant.name()).isEqualTo("tuned");
        assertThat(start.command())
                .containsExactly(
                        "java",
                        "-jar",
                        "my app.jar",
                        "--server.port=8123",
                        "--server.tomcat.threads.max=800",
                        "--spring.threads.virtual.enabled=true");
        assertThat(start.environment())
                .containsOnly(entry("SPRING_PROFILES_ACTIVE", "tuned"), entry("ADMIN_PORT", "8123"));
        assertThat(start.workingDirectory()).isEqualTo(folder.resolve("work"));
        assertThat(start.readyUrl()).isEqualTo(URI.create("http://127.0.0.1:8123/actuator/health"));
        assertThat(start.readyTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(variant.url()).isEqualTo("http://127.0.0.1:{port}/products/1");
    }

    @Test
    void theRestHasDefaults() throws IOException {
        Variant variant = ServiceFile.read(file("command: [java, -jar, app.jar]\nurl: http://127.0.0.1:8080/\n"));

        assertThat(variant.name()).isEqualTo("service");
        assertThat(variant.command()).containsExactly("java", "-jar", "app.jar");
        assertThat(variant.ready()).isEqualTo(variant.url());
        assertThat(variant.readyTimeout()).isEqualTo(ServiceFile.READY_TIMEOUT);
        assertThat(variant.directory()).isEqualTo(folder);
    }

    @Test
    void aKeyThatDoesNotExistIsNamed() throws IOException {
        assertRefused(
                "command: java\nurl: http://h/\ncomand: x\n",
                "has the key 'comand'; allowed are command, directory, env, name, properties, ready, ready-timeout,"
                        + " url");
    }

    @Test
    void aMissingCommandIsNamed() throws IOException {
        assertRefused("url: http://h/\n", "has no command; it must name one");
    }

    @Test
    void aCommandWithAnOpenQuoteIsNamed() throws IOException {
        assertRefused("command: java 'x\nurl: http://h/\n", "has a command that cannot be split: a ' is not closed");
    }

    @Test
    void aTimeThatIsNoneIsNamed() throws IOException {
        assertRefused(
                "command: java\nurl: http://h/\nready-timeout: 10d\n",
                "has a ready-timeout that cannot be used: '10d' has the unit 'd': a time has us, ms, s, m or h");
    }

    @Test
    void aListAsEnvironmentIsNamed() throws IOException {
        assertRefused("command: java\nurl: http://h/\nenv: [a]\n", "has 'env' as a single value");
    }

    @Test
    void aUrlOfAnotherSchemeIsNamed() throws IOException {
        Path file = file("command: java\nurl: ftp://h/\n");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceFile.read(file))
                .withMessageContaining("service has the url 'ftp://h/'; it must begin with http://, https://");
    }

    @Test
    void textThatIsNoYamlIsNamedWithItsLine() throws IOException {
        assertRefused("command: java\nurl: [\n", "is no valid YAML, line");
    }

    @Test
    void aKeyGivenTwiceIsRefused() throws IOException {
        assertRefused("command: a\ncommand: b\nurl: http://h/\n", "is no valid YAML, line 2");
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        assertRefused("", "holds no settings");
    }

    @Test
    void aDeviceWithoutEndIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceFile.read(Path.of("/dev/zero")))
                .withMessage("/dev/zero is larger than 1 MB: give a service file");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceFile.read(folder.resolve("none.yaml")))
                .withMessageEndingWith("none.yaml does not exist: give the path of a readable file");
    }

    private void assertRefused(String content, String message) throws IOException {
        Path file = file(content);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceFile.read(file))
                .withMessageStartingWith(file + " " + message);
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("service.yaml"), content);
    }
}
