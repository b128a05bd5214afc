package dev.weir.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Redis of a running stack, without a password and without persistence.
 *
 * @param server its process
 */
public record Redis(Server server) {
    private static final int ANSWER_MILLIS = 1_000;

    /** The loopback address. */
    public String host() {
        return server.host();
    }

    /** The port of the Redis protocol. */
    public int port() {
        return server.port();
    }

    /** Address in the form {@code redis://host:port}. */
    public String url() {
        return url(port());
    }

    static String url(int port) {
        return "redis://127.0.0.1:" + port;
    }

    static List<String> command(Path executable, Path data, int port) {
        return List.of(
                executable.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                data.toString(),
                "--save",
                "",
                "--appendonly",
                "no",
                "--daemonize",
                "no");
    }

    /** Whether a Redis on this port answers PING. */
    static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(5);
            return new String(answer, StandardCharsets.US_ASCII).equals("+PONG");
        } catch (IOException notYet) {
            return false;
        }
    }
}
