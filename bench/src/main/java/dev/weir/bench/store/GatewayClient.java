package dev.weir.bench.store;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Posts messages over one connection and reads the answers whole, with as little CPU as a blocking socket takes: the load shares the
 * machine with what it measures. One thread.
 */
final class GatewayClient implements AutoCloseable {

    private static final int STATUS_FROM = 9;
    private static final int STATUS_TO = 12;
    private static final int HEX = 16;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** An answer's status and body. */
    record Answer(int status, String body) {

        /** The value of a member, by its name alone, wherever it stands; empty where there is none. */
        String member(String name) {
            int at = body.indexOf("\"" + name + "\":");
            if (at < 0) {
                return "";
            }
            int from = at + name.length() + 3;
            boolean quoted = body.charAt(from) == '"';
            int to = from + 1;
            while (to < body.length() && (quoted ? body.charAt(to) != '"' : ",}".indexOf(body.charAt(to)) < 0)) {
                to++;
            }
            return body.substring(quoted ? from + 1 : from, to);
        }
    }

    GatewayClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    Answer post(String client, String to, String text) throws IOException {
        String body = "{\"to\":\"" + to + "\",\"text\":\"" + text + "\"}";
        String request = "POST /api/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nWeir-Client: " + client
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        out.write(request.getBytes(StandardCharsets.ISO_8859_1));
        return read();
    }

    private Answer read() throws IOException {
        int status = Integer.parseInt(line().substring(STATUS_FROM, STATUS_TO));
        int length = 0;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(
                        lower.substring("content-length:".length()).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.endsWith("chunked");
        }
        return new Answer(status, chunked ? chunks() : bytes(length));
    }

    private String chunks() throws IOException {
        var body = new StringBuilder();
        for (int length = chunkLength(); length > 0; length = chunkLength()) {
            body.append(bytes(length));
            line();
        }
        line();
        return body.toString();
    }

    private int chunkLength() throws IOException {
        return Integer.parseInt(line().strip(), HEX);
    }

    private String bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The store closed the connection within an answer");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The store closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
