package dev.weir.lab.check;

import dev.weir.lab.engine.NullServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The null server as a process of its own, so that its CPU time is not counted with the generator's. It ends when its
 * standard input does, and so also when this process is killed.
 */
public final class NullService implements AutoCloseable {
    private static final int BODY_BYTES = 128;
    private final Process process;
    private final InetSocketAddress address;

    private NullService(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts it and waits until it listens, about a second.
     *
     * @throws IOException if it does not start
     */
    static NullService start() throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms16m",
                        "-Xmx48m",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NullService.class.getName()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
            String port = output.readLine();
            if (port == null) {
                throw new IOException("the null server ended before it listened");
            }
            return new NullService(
                    process, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
        } catch (IOException | NumberFormatException e) {
            process.destroyForcibly();
            throw new IOException("the null server for the calibration did not start", e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The process: prints its port, serves until its input ends. */
    public static void main(String[] arguments) throws IOException {
        try (NullServer server = NullServer.start(0, 1, BODY_BYTES)) {
            System.out.println(server.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                // Only its end matters.
            }
        }
    }
}
