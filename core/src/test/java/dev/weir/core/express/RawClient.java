package dev.weir.core.express;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Sends bytes as they are and reads what comes back until the server closes. */
final class RawClient {

    private static final Pattern DATE = Pattern.compile("\r\nDate: [^\r\n]{29}\r\n");

    private RawClient() {}

    /**
     * The whole answer to a stream, with the dates masked.
     *
     * @param waitNanos between the pieces
     */
    static String exchange(int port, byte[] stream, int[] cuts, long waitNanos) throws IOException {
        try (Socket socket = open(port)) {
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                send(socket.getOutputStream(), stream, cuts, waitNanos);
                socket.shutdownOutput();
            } catch (IOException closedEarly) {
                // The server has answered and closed; what it said is still to be read.
            }
            readAll(socket.getInputStream(), answer);
            return masked(answer.toByteArray());
        }
    }

    static Socket open(int port) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    /** One answer on a connection that stays open: the head, and as much body as its length says. */
    static String answer(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return answer(socket, request.startsWith("HEAD"));
    }

    static String answer(Socket socket, boolean head) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder read = new StringBuilder();
        while (read.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return masked(read.toString().getBytes(StandardCharsets.ISO_8859_1));
            }
            read.append((char) b);
        }
        var length = Pattern.compile("\r\nContent-Length: (\\d+)").matcher(read);
        if (length.find() && !head) {
            byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
            read.append(new String(body, StandardCharsets.ISO_8859_1));
        }
        return masked(read.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void send(OutputStream out, byte[] stream, int[] cuts, long waitNanos) throws IOException {
        int from = 0;
        for (int cut : cuts) {
            out.write(stream, from, cut - from);
            from = cut;
            long start = System.nanoTime();
            while (System.nanoTime() - start < waitNanos) {
                LockSupport.parkNanos(waitNanos);
            }
        }
        out.write(stream, from, stream.length - from);
    }

    private static void readAll(InputStream in, ByteArrayOutputStream answer) throws IOException {
        byte[] buffer = new byte[16384];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                answer.write(buffer, 0, n);
            }
        } catch (java.net.SocketException reset) {
            // A close with bytes unread resets; what was sent before it has been read.
        }
    }

    private static String masked(byte[] answer) {
        return DATE.matcher(new String(answer, StandardCharsets.ISO_8859_1))
                .replaceAll("\r\nDate: " + "*".repeat(29) + "\r\n");
    }
}
