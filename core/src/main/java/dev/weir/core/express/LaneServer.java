package dev.weir.core.express;

import java.nio.charset.StandardCharsets;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.jspecify.annotations.Nullable;

/** What the port lane must know of the connector to answer as Tomcat would: read once, when it starts. */
final class LaneServer {

    /** What comes before every path of a route; empty for the root. */
    final byte[] contextPath;

    /** What follows the date in a head, to the empty line. */
    final byte[] tail;

    /** The same where the request asked for keep-alive by name. */
    final byte[] keepAliveTail;

    /** The same where the connection is closed behind the answer. */
    final byte[] closeTail;

    /** Longer requests are Tomcat's to judge. */
    final int maxRequestBytes;

    /** Requests with more are Tomcat's to judge. */
    final int maxHeaders;

    /** Whether a connection is closed after a number of requests. */
    final boolean connectionsEnd;

    /** How long a connection may be idle after an answer; not positive for ever. */
    final int keepAliveMillis;

    /** Whether nothing in the server acts on what a proxy tells. */
    final boolean forwardedIsHarmless;

    /** Where answers are logged; null for nowhere. */
    final @Nullable Adapter accessLog;

    private static final int MOST_HEADERS = 64;

    LaneServer(AbstractHttp11Protocol<?> protocol, String contextPath, boolean forwardedIsHarmless, boolean accessLog) {
        this.contextPath = ascii(contextPath);
        this.forwardedIsHarmless = forwardedIsHarmless;
        this.accessLog = accessLog ? protocol.getAdapter() : null;
        String server = protocol.getServer() == null ? "" : "Server: " + protocol.getServer() + "\r\n";
        keepAliveMillis = protocol.getKeepAliveTimeout();
        boolean tellsTimeout = protocol.getUseKeepAliveResponseHeader() && keepAliveMillis > 0;
        String timeout =
                tellsTimeout ? "Keep-Alive: timeout=" + keepAliveMillis / 1000 + "\r\nConnection: keep-alive\r\n" : "";
        tail = ascii("\r\n" + server + "\r\n");
        keepAliveTail = ascii("\r\n" + timeout + server + "\r\n");
        closeTail = ascii("\r\nConnection: close\r\n" + server + "\r\n");
        maxRequestBytes = protocol.getMaxHttpRequestHeaderSize();
        int allowed = protocol.getMaxHeaderCount();
        maxHeaders = allowed < 0 ? MOST_HEADERS : Math.min(allowed, MOST_HEADERS);
        connectionsEnd = protocol.getMaxKeepAliveRequests() > 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
