package dev.weir.core.express;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.coyote.Adapter;
import org.apache.coyote.OutputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;

/**
 * Writes the poller's answers to Tomcat's access log, through the adapter that logs for the other requests, so that
 * pattern, file and rotation are the same. One request and response are filled again and again. One thread.
 */
final class AccessLine {

    private final Adapter adapter;
    private final Request request = new Request();
    private final Response response = new Response();
    private final Written written = new Written();
    private byte[] bytes = new byte[1024];
    private int length;

    AccessLine(Adapter adapter) {
        this.adapter = adapter;
        request.setResponse(response);
        response.setRequest(request);
        response.setOutputBuffer(written);
    }

    /** Keeps the request's head, before its buffer is used again. */
    void remember(byte[] head, LaneRequest recognised) {
        length = recognised.length();
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        System.arraycopy(head, 0, bytes, 0, length);
        request.markStartTime();
        request.setMethod(recognised.head ? "HEAD" : "GET");
        String path = text(recognised.pathFrom, recognised.pathTo);
        request.requestURI().setString(path);
        request.decodedURI().setString(path);
        request.protocol().setString("HTTP/1.1");
        headers();
    }

    /** Writes the line of the remembered request. */
    void log(NioSocketWrapper connection, int status, int bodyBytes, long tookNanos) {
        request.remoteAddr().setString(connection.getRemoteAddr());
        request.remoteHost().setString(connection.getRemoteAddr());
        request.setRemotePort(connection.getRemotePort());
        request.localAddr().setString(connection.getLocalAddr());
        request.setLocalPort(connection.getLocalPort());
        response.setStatus(status);
        response.setCommitted(true);
        written.bytes = bodyBytes;
        adapter.log(request, response, tookNanos);
        request.recycle();
        response.recycle();
    }

    // The head was recognised, so each line has a colon, one optional space and a CRLF.
    private void headers() {
        int at = next('\n', 0) + 1;
        while (bytes[at] != '\r') {
            int colon = next(':', at);
            int value = bytes[colon + 1] == ' ' ? colon + 2 : colon + 1;
            int end = next('\r', value);
            request.getMimeHeaders().addValue(text(at, colon)).setString(text(value, end));
            at = end + 2;
        }
    }

    private int next(char wanted, int from) {
        int at = from;
        while (bytes[at] != wanted) {
            at++;
        }
        return at;
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Says how many bytes went out; nothing goes out through it. */
    private static final class Written implements OutputBuffer {

        private long bytes;

        @Override
        public int doWrite(ByteBuffer chunk) throws IOException {
            throw new IOException("An access line has no body to write " + chunk.remaining() + " bytes of.");
        }

        @Override
        public long getBytesWritten() {
            return bytes;
        }
    }
}
