package dev.weir.lab.collect;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A {@link WatchedService} in a process of its own, and a small closed-loop load on it. */
final class ServiceProcess implements AutoCloseable {
    private final Process process;
    private final int port;
    private final AtomicBoolean loading = new AtomicBoolean(true);
    private final AtomicLong answers = new AtomicLong();
    private final HttpClient http = HttpClient.newHttpClient();

    ServiceProcess(List<String> jvmOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WatchedService.class.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            throw new IOException("The service did not start: " + command);
        }
        port = Integer.parseInt(line);
    }

    long pid() {
        return process.pid();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    void load(int connections) {
        for (int i = 0; i < connections; i++) {
            Thread.ofPlatform().daemon().start(this::request);
        }
    }

    private void request() {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .build();
        try {
            while (loading.get()) {
                HttpResponse<Void> response = http.send(request, HttpResponse.BodyHandlers.discarding());
                answers.addAndGet(response.statusCode() == 200 ? 1 : 0);
            }
        } catch (IOException e) {
            // The service was stopped under load.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until this many more requests have been answered. */
    void awaitAnswers(long more) {
        long until = answers.get() + more;
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (answers.get() < until) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("No more than " + answers.get() + " answers in 30 s");
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        loading.set(false);
        kill();
        http.shutdownNow();
    }
}
