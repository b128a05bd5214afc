package dev.weir.lab.compare;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How to start one service.
 *
 * @param name what messages call it
 * @param command program and arguments; the program is looked up on PATH
 * @param environment variables added to Weir's own; an entry replaces one of the same name
 * @param readyUrl http or https: answers 200 to 299 when the service is ready; {@code tcp://host:port}: accepts a
 *     connection when it is ready
 * @param readyTimeout the longest to wait for that; above 0
 * @param logFile gets what the service prints, both streams; its folder is made, an older file is replaced
 */
public record ServiceStart(
        String name,
        List<String> command,
        Map<String, String> environment,
        Path workingDirectory,
        URI readyUrl,
        Duration readyTimeout,
        Path logFile) {

    public ServiceStart {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty()) {
            throw new IllegalArgumentException(name + " has an empty command; give the program to start");
        }
        if (readyTimeout.isNegative() || readyTimeout.isZero()) {
            throw new IllegalArgumentException(
                    name + " has " + readyTimeout + " to get ready; the time must be above 0");
        }
        if (!List.of("http", "https", "tcp").contains(readyUrl.getScheme()) || readyUrl.getHost() == null) {
            throw new IllegalArgumentException(name + " is to be ready at '" + readyUrl
                    + "'; give http://host:port/path, or tcp://host:port for a port that accepts");
        }
    }
}
