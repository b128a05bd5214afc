package dev.weir.core.cache;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A way to a server on which connections can die without a sign: their bytes are swallowed, and neither end is told. */
final class Swallower implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Way> ways = new CopyOnWriteArrayList<>();

    private static final class Way {
        private final Socket client;
        private final Socket server;
        private volatile boolean swallows;

        Way(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    Swallower(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** All present connections die; later ones live. */
    void swallow() {
        ways.forEach(way -> way.swallows = true);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Way way : ways) {
            way.client.close();
            way.server.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Way way = new Way(listening.accept(), new Socket(InetAddress.getLoopbackAddress(), target));
                ways.add(way);
                Thread.ofVirtual().start(() -> pump(way, way.client, way.server));
                Thread.ofVirtual().start(() -> pump(way, way.server, way.client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pump(Way way, Socket from, Socket to) {
        byte[] bytes = new byte[8_192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (!way.swallows) {
                    out.write(bytes, 0, n);
                }
            }
            if (!way.swallows) {
                to.close();
            }
        } catch (IOException closed) {
            // By one of its ends.
        }
    }
}
