package dev.weir.stack;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Class path, command line and data folder of the Kafka broker: one node that is broker and controller.
 *
 * <p>The broker's jars stay out of every class path of ours. The build writes where they lie into the resource
 * {@code kafka.classpath}, and the broker runs from there in a JVM of its own. Formatting its storage costs a JVM start, so it is
 * done once into a template that each run copies.
 */
final class KafkaFiles {
    private static final String LAYOUT = "1";
    private static final int NODE = 1;
    private static final Duration FORMAT_TIME = Duration.ofSeconds(60);
    private static final Duration FORMAT_GRACE = Duration.ofSeconds(2);

    private final String classPath;
    private final Path template;
    private final StackProgress progress;

    KafkaFiles(CacheFolder cache, String version, StackProgress progress) {
        this.classPath = requireComplete(readClassPath());
        this.template = cache.templates().resolve("kafka-" + version + "-" + LAYOUT);
        this.progress = progress;
    }

    private static String readClassPath() {
        try (InputStream in = KafkaFiles.class.getResourceAsStream("kafka.classpath")) {
            if (in == null) {
                throw new StackException("The list of Kafka's jars is missing: build the module stack with Maven.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new StackException("The list of Kafka's jars cannot be read.", e);
        }
    }

    private static String requireComplete(String classPath) {
        for (String jar : classPath.split(File.pathSeparator, -1)) {
            if (!Files.isReadable(Path.of(jar))) {
                throw new StackException(
                        "Kafka's jar %s cannot be read where the build found it: build the module stack again as this user."
                                .formatted(jar));
            }
        }
        return classPath;
    }

    /** Makes the template where there is none yet. */
    void prepareTemplate(Path workFolder) throws IOException {
        if (Files.isDirectory(template)) {
            return;
        }
        progress.step("Formatting Kafka's storage (only the first time)");
        Path fresh = Files.createTempDirectory(template.getParent(), Runs.UNFINISHED);
        Path settings = Files.writeString(workFolder.resolve("kafka-template.properties"), properties(fresh, 1, 2));
        format(settings, workFolder.resolve("kafka-template.log"));
        FileTree.publish(fresh, template);
    }

    private void format(Path settings, Path log) throws IOException {
        List<String> command =
                java("kafka.tools.StorageTool", "format", "-t", newClusterId(), "-c", settings.toString());
        Guard tool = Guard.launch(command, "java", log, "TERM", FORMAT_GRACE);
        try {
            if (!tool.awaitExit(FORMAT_TIME) || tool.exitCode() != 0) {
                throw new StackException("Kafka's storage cannot be formatted: "
                        + Server.logTail(log).strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("The formatting of Kafka's storage was interrupted.", e);
        } finally {
            tool.stop();
        }
    }

    private static String newClusterId() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        bytes[0] &= 0x3f;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A data folder with its settings; returns the file of settings. */
    Path create(Path data, int port, int controllerPort, Map<String, String> settings) throws IOException {
        FileTree.copy(template, data);
        return Files.writeString(
                data.resolveSibling("kafka.properties"), properties(data, port, controllerPort) + lines(settings));
    }

    /** Later lines of the file win, so a setting replaces ours. */
    private static String lines(Map<String, String> settings) {
        StringBuilder lines = new StringBuilder();
        settings.forEach((name, value) -> lines.append(name)
                .append('=')
                .append(value.replace("\\", "\\\\"))
                .append('\n'));
        return lines.toString();
    }

    List<String> command(Path settings) {
        return java("kafka.Kafka", settings.toString());
    }

    /** Whether the broker has told in its log that it is up. */
    static boolean isReady(Path log) {
        return Server.logTail(log).contains("Kafka Server started");
    }

    private List<String> java(String... mainAndArguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info"));
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(mainAndArguments));
        return command;
    }

    private static String properties(Path data, int port, int controllerPort) {
        return """
                process.roles=broker,controller
                node.id=%d
                controller.quorum.voters=%d@127.0.0.1:%d
                controller.listener.names=CONTROLLER
                listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                advertised.listeners=PLAINTEXT://127.0.0.1:%d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%s
                num.partitions=4
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=4
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=4
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                share.coordinator.state.topic.num.partitions=4
                group.initial.rebalance.delay.ms=0
                """.formatted(
                        NODE,
                        NODE,
                        controllerPort,
                        port,
                        controllerPort,
                        port,
                        data.toString().replace("\\", "\\\\"));
    }
}
