package dev.weir.lab.compare;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A service to be started for each run. Wherever a text holds <code>{port}</code>, a port that is free at that time takes
 * its place, the same one throughout a run.
 *
 * @param name what tables call it
 * @param command program and arguments
 * @param environment variables added to Weir's own
 * @param properties appended to the command as {@code --name=value}, which Spring Boot reads as properties
 * @param url where the load goes
 * @param ready what answers when the service is ready: an http or https URL with 200 to 299, or {@code tcp://host:port}
 *     by accepting
 * @param directory the command's working directory
 */
public record Variant(
        String name,
        List<String> command,
        Map<String, String> environment,
        SequencedMap<String, String> properties,
        String url,
        String ready,
        Duration readyTimeout,
        Path directory)
        implements Contender {

    private static final String PORT = "{port}";

    public Variant {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        properties = new LinkedHashMap<>(properties);
        if (command.isEmpty()) {
            throw new IllegalArgumentException(name + " has no command; give the program that starts the service");
        }
        requireUrl(name, "url", url, "http", "https");
        requireUrl(name, "ready", ready, "http", "https", "tcp");
    }

    private static void requireUrl(String name, String key, String url, String... schemes) {
        URI parsed = parse(url.replace(PORT, "1"));
        if (parsed.getHost() == null || !List.of(schemes).contains(parsed.getScheme())) {
            throw new IllegalArgumentException(name + " has the " + key + " '" + url + "'; it must begin with "
                    + String.join("://, ", schemes) + ":// and name a host, as in http://127.0.0.1:{port}/");
        }
        if ("tcp".equals(parsed.getScheme()) && parsed.getPort() < 0) {
            throw new IllegalArgumentException(
                    name + " has the " + key + " '" + url + "' without a port; write tcp://127.0.0.1:{port}");
        }
    }

    private static URI parse(String url) {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException noUrl) {
            return URI.create("");
        }
    }

    @Override
    public String description() {
        List<String> words = new ArrayList<>();
        environment.entrySet().stream().map(Map.Entry::toString).sorted().forEach(words::add);
        words.addAll(arguments(PORT));
        return CommandWords.joined(words);
    }

    @Override
    public boolean restarts() {
        return true;
    }

    /** How to start it on a port. */
    ServiceStart on(int port, Path logFile) {
        String number = Integer.toString(port);
        Map<String, String> variables = new LinkedHashMap<>();
        environment.forEach((key, value) -> variables.put(key, value.replace(PORT, number)));
        return new ServiceStart(
                name,
                arguments(number),
                variables,
                directory,
                URI.create(ready.replace(PORT, number)),
                readyTimeout,
                logFile);
    }

    private List<String> arguments(String port) {
        List<String> words = new ArrayList<>(command);
        properties.forEach((key, value) -> words.add("--" + key + "=" + value));
        words.replaceAll(word -> word.replace(PORT, port));
        return words;
    }

    @Override
    public Subject open(Path logFile) throws ServiceFailure, InterruptedException {
        int port = FreePort.find();
        ServiceProcess process = ServiceProcess.start(on(port, logFile));
        String address = url.replace(PORT, Integer.toString(port));
        return new Subject() {
            @Override
            public String url() {
                return address;
            }

            @Override
            public Optional<Duration> cpuTime() {
                return process.cpuTime();
            }

            @Override
            public void close() {
                process.close();
            }
        };
    }
}
