package dev.weir.app.demo;

import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.UserException;
import dev.weir.lab.compare.FreePort;
import dev.weir.lab.compare.ServiceFailure;
import dev.weir.lab.compare.ServiceProcess;
import dev.weir.lab.compare.ServiceStart;
import dev.weir.stack.Postgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts the store and its payment and message provider as processes of their own, always on the same two ports, so that
 * a restart changes nothing but the properties given.
 */
final class StoreLauncher {
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final String LOOPBACK = "127.0.0.1";

    private final String classPath;
    private final Path folder;
    private final int storePort = FreePort.find();
    private final int providerPort = FreePort.find();

    /**
     * Reads where the built store is.
     *
     * @param home the repository's root
     * @param folder where both processes' logs go
     * @throws UserException if the store has not been built
     */
    StoreLauncher(Path home, Path folder) {
        this.classPath = home.resolve("store/target/classes") + ":" + libraries(home);
        this.folder = folder;
    }

    private static String libraries(Path home) {
        Path file = home.resolve("store/target/store.classpath");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UserException(
                    ExitCode.ENVIRONMENT,
                    "the store has not been built (" + file + " cannot be read); start the demo with ./weir demo, which"
                            + " builds it",
                    e);
        }
    }

    URI storeUrl() {
        return URI.create("http://" + LOOPBACK + ":" + storePort);
    }

    URI providerUrl() {
        return URI.create("http://" + LOOPBACK + ":" + providerPort);
    }

    ServiceProcess startProvider(Duration latency) throws InterruptedException {
        return start(new ServiceStart(
                "the payment provider",
                java(
                        List.of("-Xmx128m", "-XX:+UseSerialGC"),
                        "dev.weir.store.provider.ProviderMain",
                        List.of(
                                "--port=" + providerPort,
                                "--payments.latency-millis=" + latency.toMillis(),
                                "--messages.latency-millis=" + latency.toMillis())),
                Map.of(),
                folder,
                URI.create("tcp://" + LOOPBACK + ":" + providerPort),
                READY_WITHIN,
                folder.resolve("provider.log")));
    }

    /**
     * Starts the store and waits until it is ready. The first start on an empty database also fills the catalog.
     *
     * @param log name of the log file in the folder
     * @param properties Spring properties that differ from the stock form
     * @throws UserException if it does not start, with the end of its log
     */
    ServiceProcess startStore(Postgres database, String log, Map<String, String> properties)
            throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + storePort,
                "--server.address=" + LOOPBACK,
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--store.payments.url=" + providerUrl(),
                "--store.messages.url=" + providerUrl()));
        properties.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return start(new ServiceStart(
                "the store",
                java(List.of("-Xms512m", "-Xmx512m"), "dev.weir.store.StoreApplication", arguments),
                Map.of(),
                folder,
                storeUrl().resolve("/actuator/health/readiness"),
                READY_WITHIN,
                folder.resolve(log)));
    }

    private static ServiceProcess start(ServiceStart start) throws InterruptedException {
        try {
            return ServiceProcess.start(start);
        } catch (ServiceFailure e) {
            throw new UserException(ExitCode.ENVIRONMENT, String.valueOf(e.getMessage()), e);
        }
    }

    private List<String> java(List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        return command;
    }
}
