package dev.weir.stack;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts the servers below a background process of ours, which is {@code weir stack up} in a JVM and a session of its own, and
 * waits until they run. What that process says until then is passed on.
 */
final class DetachedStart {
    private static final long POLL_MILLIS = 50;
    /** The first start unpacks binaries and makes templates, which the start timeout does not cover. */
    private static final Duration FIRST_TIME = Duration.ofMinutes(3);

    private static final Duration STOP_TIME = Duration.ofSeconds(20);

    private final StackConfig config;
    private final CacheFolder cache;
    private final Runs runs;
    private final StackProgress progress;

    DetachedStart(StackConfig config, CacheFolder cache, StackProgress progress) {
        this.config = config;
        this.cache = cache;
        this.runs = new Runs(cache, InstantSource.system());
        this.progress = progress;
    }

    RunFile start() {
        cache.create();
        try {
            Path log = Files.createTempFile(cache.root(), "up-", ".log");
            try {
                return await(launch(log), new Tail(log));
            } finally {
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new StackException("The background process cannot be started: %s.".formatted(e.getMessage()), e);
        }
    }

    private Process launch(Path log) throws IOException {
        return new ProcessBuilder(command())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(log.toFile())
                .start();
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(Guard.ownSession());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StackMain.class.getName(), "up"));
        command.addAll(arguments(config, cache));
        return command;
    }

    static List<String> arguments(StackConfig config, CacheFolder cache) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--standbys=" + config.standbys());
        arguments.add("--port-postgres=" + config.ports().postgres());
        arguments.add("--port-standby=" + config.ports().firstStandby());
        arguments.add("--port-redis=" + config.ports().redis());
        arguments.add("--port-kafka=" + config.ports().kafka());
        arguments.add("--timeout=" + config.startTimeout().toSeconds());
        arguments.add("--cache=" + cache.root());
        config.postgresSettings().forEach((name, value) -> arguments.add("--postgres-setting=" + name + "=" + value));
        if (config.kafka()) {
            arguments.add("--kafka");
        }
        if (!config.redis()) {
            arguments.add("--no-redis");
        }
        return arguments;
    }

    private RunFile await(Process background, Tail log) throws IOException {
        Thread hook = new Thread(background::destroy, "weir-stack-detach-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            RunFile run = awaitReady(background, log);
            Runtime.getRuntime().removeShutdownHook(hook);
            return run;
        } catch (InterruptedException e) {
            Runs.awaitEnd(stopping(background), STOP_TIME);
            Thread.currentThread().interrupt();
            throw new StackException("The start was interrupted.", e);
        }
    }

    private RunFile awaitReady(Process background, Tail log) throws IOException, InterruptedException {
        long deadlineNanos =
                System.nanoTime() + config.startTimeout().plus(FIRST_TIME).toNanos();
        boolean said = false;
        while (!background.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            Optional<RunFile> ready = readyRunOf(background.pid());
            if (ready.isPresent()) {
                return ready.get();
            }
            List<String> lines = log.newLines();
            said |= !lines.isEmpty();
            lines.forEach(progress::step);
            if (System.nanoTime() - deadlineNanos > 0) {
                Runs.awaitEnd(stopping(background), STOP_TIME);
                throw new StackException("The background process did not get the servers up in time and was stopped.");
            }
        }
        List<String> last = log.newLines();
        last.stream().limit(Math.max(0, last.size() - 1L)).forEach(progress::step);
        throw new BackgroundEndedException(last.isEmpty() ? lastWords(said) : last.getLast(), background.exitValue());
    }

    private static String lastWords(boolean said) {
        return "The background process ended" + (said ? "; the line above says why." : " without a word.");
    }

    private static ProcessHandle stopping(Process background) {
        background.destroy();
        return background.toHandle();
    }

    private Optional<RunFile> readyRunOf(long pid) {
        return runs.running().stream()
                .filter(run -> run.owner().pid() == pid && run.state() == RunFile.State.READY)
                .findFirst();
    }

    /** The lines that a growing file got since the last look. */
    private static final class Tail {
        private final Path file;
        private int seen;

        Tail(Path file) {
            this.file = file;
        }

        List<String> newLines() throws IOException {
            String text = Files.readString(file);
            String fresh = text.substring(seen, text.lastIndexOf('\n') + 1);
            seen += fresh.length();
            return fresh.lines().toList();
        }
    }
}
