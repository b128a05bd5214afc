package dev.weir.core.express;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** One value in one media type and content coding: the body and everything that is said about it. */
final class EncodedForm {

    private final byte[] body;
    private final String contentType;
    private final String tag;
    private final List<RouteHeader> headers;
    private final byte[] tagBytes;
    private final byte[] okHead;
    private final byte[] notModifiedHead;

    /**
     * @param tag the entity tag, quotes included
     * @param headers what the answer carries, in this order; content type and length come after it
     */
    EncodedForm(byte[] body, String contentType, String tag, List<RouteHeader> headers) {
        this.body = body;
        this.contentType = contentType;
        this.tag = tag;
        this.headers = headers;
        tagBytes = ascii(tag);
        okHead = ascii(head(200, headers) + "Content-Type: " + contentType + "\r\nContent-Length: " + body.length
                + "\r\nDate: ");
        notModifiedHead = ascii(head(304, headers) + "Date: ");
    }

    byte[] body() {
        return body;
    }

    String contentType() {
        return contentType;
    }

    String tag() {
        return tag;
    }

    List<RouteHeader> headers() {
        return headers;
    }

    /** The tag as it stands in a request. */
    byte[] tagBytes() {
        return tagBytes;
    }

    /** The head of a 200 as Tomcat writes it, up to where the date stands. */
    byte[] okHead() {
        return okHead;
    }

    /** The head of a 304, up to where the date stands. */
    byte[] notModifiedHead() {
        return notModifiedHead;
    }

    // Tomcat writes no reason phrase, and the application's headers before its own.
    private static String head(int status, List<RouteHeader> headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n");
        for (RouteHeader header : headers) {
            head.append(header.name()).append(": ").append(header.value()).append("\r\n");
        }
        return head.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
