package dev.weir.lab.compare;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A service to start from tests: {@code --port=N --mode=ready|dies|never|stubborn|parent --threads=N --sleep-millis=N}.
 * It answers every path after a sleep, on a fixed number of threads.
 */
public final class ToyService {

    public static void main(String[] arguments) throws IOException {
        System.out.println("toy starts with " + String.join(" ", arguments));
        switch (option(arguments, "mode", "ready")) {
            case "dies" -> {
                System.out.println("toy: the planted reason");
                System.exit(7);
            }
            case "never" -> blockForever();
            case "stubborn" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(ToyService::blockForever));
                serve(arguments);
            }
            case "parent" -> {
                Process child =
                        new ProcessBuilder(command("--mode=never")).inheritIO().start();
                System.out.println("child " + child.pid());
                serve(arguments);
            }
            default -> serve(arguments);
        }
    }

    private static void serve(String[] arguments) throws IOException {
        int port = Integer.parseInt(option(arguments, "port", "0"));
        long sleepMillis = Long.parseLong(option(arguments, "sleep-millis", "0"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_024);
        server.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(option(arguments, "threads", "4"))));
        server.createContext("/", exchange -> {
            pause(sleepMillis);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    private static void blockForever() {
        pause(Long.MAX_VALUE);
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String option(String[] arguments, String name, String otherwise) {
        String prefix = "--" + name + "=";
        return Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(prefix))
                .map(argument -> argument.substring(prefix.length()))
                .reduce((first, last) -> last)
                .orElse(otherwise);
    }

    /** The command that starts one. */
    public static List<String> command(String... arguments) {
        return java(ToyService.class, arguments);
    }

    /** The command that starts a class of the tests' class path in a JVM of its own. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private ToyService() {}
}
