package dev.weir.store.start;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to another port of this machine, until it is cut and again once it is mended. */
final class Relay implements AutoCloseable {

    private final int targetPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int port;
    private ServerSocket server;

    Relay(int targetPort) throws IOException {
        this.targetPort = targetPort;
        this.server = listen(0);
        this.port = server.getLocalPort();
    }

    int port() {
        return port;
    }

    /** Ends every connection and refuses new ones. */
    void cut() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    void mend() throws IOException {
        server = listen(port);
    }

    @Override
    public void close() throws IOException {
        cut();
    }

    private ServerSocket listen(int wanted) throws IOException {
        var socket = new ServerSocket(wanted, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> accept(socket));
        return socket;
    }

    private void accept(ServerSocket from) {
        try {
            while (true) {
                Socket client = from.accept();
                var target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                sockets.add(client);
                sockets.add(target);
                Thread.ofVirtual().start(() -> pump(client, target));
                Thread.ofVirtual().start(() -> pump(target, client));
            }
        } catch (IOException e) {
            // Cut: nothing is accepted any more.
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side is gone, and both are closed now.
        }
    }
}
