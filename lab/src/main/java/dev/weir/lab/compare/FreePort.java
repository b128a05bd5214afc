package dev.weir.lab.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port for a service that is about to start. */
public final class FreePort {

    /**
     * A port of the loopback address that was free a moment ago.
     *
     * @throws UncheckedIOException if the system has none
     */
    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback address", e);
        }
    }

    private FreePort() {}
}
