package dev.weir.lab.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs one of the system's own tools for its output, within a bounded time. */
final class Command {
    private static final int TIMEOUT_SECONDS = 5;

    private Command() {}

    /** Standard output by lines; empty where the tool is missing, slow or printed nothing. */
    static List<String> lines(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return output(process);
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    static Optional<String> firstLine(String... command) {
        return lines(command).stream().findFirst();
    }

    private static List<String> output(Process process) throws IOException, InterruptedException {
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return List.of();
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
