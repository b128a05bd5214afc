package dev.weir.core.express;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes byte streams for a server: valid requests, odd ones, hostile ones; the same for the same seed. */
final class Streams {

    private static final List<String> METHODS =
            List.of("POST", "PUT", "get", "OPTIONS", "GETT", "G", "", "PRI", "TRACE");
    private static final List<String> HOT = List.of("/p/1", "/p/2", "/p/3", "/hello", "/s/1/price");
    private static final List<String> TARGETS = List.of(
            "/p/99",
            "/p/x",
            "/p/",
            "/p",
            "/",
            "*",
            "/p/1?x=2",
            "/p/1?",
            "/p/%31",
            "/p/./1",
            "/p/../p/1",
            "/p//1",
            "//p/1",
            "/p/1/",
            "/p/1;v=1",
            "/p/.1",
            "/p/1.",
            "/p/1..2",
            "http://h/p/1",
            "HTTP://a.b/hello",
            "/hello/",
            "/Hello",
            "p/1",
            "/p/1#f",
            "/p/\u00e9",
            "/p/1\t",
            "/p/1\\",
            "/p/-1",
            "/p/+1",
            "/p/001",
            "/s/1/pric",
            "/s//price",
            "/p/1 2",
            "");
    private static final List<String> VERSIONS =
            List.of("HTTP/1.0", "HTTP/1.1 ", " HTTP/1.1", "HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/1.", "HTTP/11", "");
    private static final List<String> HOSTS = List.of(
            "h",
            "localhost:8080",
            "127.0.0.1:80",
            "a-b.c1.example",
            "256.1.1.1",
            "1.2.3",
            "1.2.3.4.5",
            "[::1]:80",
            "a..b",
            "-a",
            "a-",
            "a.",
            ".a",
            "a_b",
            "a:b",
            "a:",
            "a:999999999999",
            "a:65536",
            "",
            "a,b",
            "a b",
            "a@b",
            "1a.b",
            "A.B",
            "127.0.0.01",
            "xn--a.b");
    private static final List<String> PLAIN = List.of(
            "Accept: */*",
            "Accept: application/json",
            "Accept: application/x-protobuf",
            "accept:*/*",
            "Accept: application/json, text/plain, */*",
            "Accept-Encoding: gzip",
            "Accept-Encoding: gzip, deflate, br",
            "ACCEPT-ENCODING: identity",
            "If-None-Match: @TAG",
            "If-None-Match: @GZTAG",
            "If-None-Match: \"x\"",
            "User-Agent: fuzz/1.0 (a; b)",
            "Referer: http://x/y?z",
            "X-Request-Id: 7",
            "Connection: keep-alive",
            "Connection: Keep-Alive",
            "X-Forwarded-For: 1.2.3.4",
            "Accept-Language: de",
            "Cache-Control: no-cache");
    private static final List<String> HEADERS = List.of(
            "Accept: */*",
            "Accept: application/json",
            "Accept: application/x-protobuf",
            "Accept: text/html",
            "Accept: application/json;q=0.1, application/x-protobuf",
            "Accept: application/json, text/plain, */*",
            "accept: */*",
            "Accept:*/*",
            "Accept:  */*",
            "Accept: */* ",
            "Accept:\t*/*",
            "Accept: ",
            "Accept:",
            "Accept-Encoding: gzip",
            "Accept-Encoding: gzip, deflate, br",
            "Accept-Encoding: gzip;q=0",
            "Accept-Encoding: identity",
            "Accept-Encoding: br",
            "Accept-Encoding: *",
            "ACCEPT-ENCODING: gzip",
            "If-None-Match: @TAG",
            "If-None-Match: @TAG",
            "If-None-Match: @GZTAG",
            "If-None-Match: W/@TAG",
            "If-None-Match: *",
            "If-None-Match: \"x\"",
            "If-None-Match: \"x\", @TAG",
            "If-None-Match: x",
            "If-None-Match: \"",
            "If-None-Match: \"a\"b\"",
            "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT",
            "If-Match: \"x\"",
            "User-Agent: fuzz/1.0 (a; b)",
            "User-Agent: ",
            "User-Agent: a\u0080b",
            "User-Agent: a\u0001b",
            "User-Agent: a\tb",
            "Referer: http://x/y?z",
            "Cookie: a=b",
            "Authorization: Basic YTpi",
            "X-Unknown: 1",
            "X-Request-Id: 7",
            "Connection: keep-alive",
            "Connection: Keep-Alive",
            "Connection: close",
            "Connection: upgrade",
            "Connection: keep-alive, close",
            "Connection: close, keep-alive",
            "Connection: TE",
            "Keep-Alive: timeout=5",
            "Upgrade: h2c",
            "Upgrade: websocket",
            "Expect: 100-continue",
            "Expect: 200-ok",
            "Content-Length: 0",
            "Content-Length: 5",
            "Content-Length: -1",
            "Content-Length: 5, 5",
            "Content-Length: +5",
            "Content-Length: 0x5",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked, gzip",
            "Transfer-Encoding : chunked",
            " Transfer-Encoding: chunked",
            "Transfer-Encoding:\u000bchunked",
            "TE: gzip",
            "Host : h",
            "Accept : */*",
            "User-Agent : x",
            "Accept",
            ": x",
            "Accept\u0000: */*",
            "Acc ept: */*",
            " folded: x",
            "\tfolded",
            "Range: bytes=0-1",
            "Origin: http://o",
            "X-Forwarded-For: 1.2.3.4",
            "Priority: u=1",
            "Accept-Language: de",
            "Cache-Control: no-cache",
            "Pragma: no-cache",
            "Traceparent: 00-1-2-01",
            "Trailer: x",
            "HTTP2-Settings: AAAA",
            "Content-Type: text/plain",
            "Sec-Fetch-Mode: cors",
            "Priority: ");
    private static final List<String> BODIES = List.of(
            "12345",
            "5\r\n12345\r\n0\r\n\r\n",
            "0\r\n\r\n",
            "GET /p/1 HTTP/1.1\r\nHost: h\r\n\r\n",
            "\r\n",
            "x",
            "\u0000");

    private final Random random;
    private final String tag;

    /** @param tag an entity tag that one of the hot forms has */
    Streams(long seed, String tag) {
        random = new Random(seed);
        this.tag = tag;
    }

    /** The next stream. */
    byte[] next() {
        StringBuilder stream = new StringBuilder();
        int requests = random.nextInt(10) < 7 ? 1 : 1 + random.nextInt(9);
        double strangeness = random.nextInt(3) == 0 ? 0.5 : 0.03;
        for (int i = 0; i < requests; i++) {
            request(stream, strangeness);
        }
        byte[] bytes = stream.toString().getBytes(StandardCharsets.ISO_8859_1);
        return random.nextInt(4) == 0 ? mutate(bytes) : bytes;
    }

    /** Where to cut a stream of this length: up to three places, in order. */
    int[] cuts(int length) {
        int count = length < 2 || random.nextInt(10) < 6 ? 0 : 1 + random.nextInt(3);
        return random.ints(count, 1, Math.max(2, length)).sorted().distinct().toArray();
    }

    private void request(StringBuilder stream, double strangeness) {
        if (chance(strangeness / 2)) {
            stream.append(random.nextBoolean() ? "\r\n" : "\n");
        }
        stream.append(chance(strangeness) ? any(METHODS) : random.nextInt(5) == 0 ? "HEAD" : "GET")
                .append(chance(strangeness / 4) ? "  " : " ")
                .append(chance(strangeness) ? any(TARGETS) : any(HOT))
                .append(chance(strangeness / 4) ? "\t" : " ")
                .append(chance(strangeness) ? any(VERSIONS) : "HTTP/1.1")
                .append(lineEnd(strangeness));
        if (!chance(strangeness / 3)) {
            stream.append("Host: ")
                    .append(chance(strangeness) ? any(HOSTS) : "h")
                    .append(lineEnd(strangeness));
        }
        headers(stream, strangeness);
        stream.append(lineEnd(strangeness));
        if (chance(strangeness / 2)) {
            stream.append(any(BODIES));
        }
    }

    private void headers(StringBuilder stream, double strangeness) {
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String header = chance(strangeness + 0.1) ? any(HEADERS) : any(PLAIN);
            String gzipTag = tag.isEmpty() ? "" : EntityTags.gzipped(tag);
            stream.append(header.replace("@TAG", tag).replace("@GZTAG", gzipTag))
                    .append(lineEnd(strangeness));
        }
        if (chance(strangeness / 20)) {
            stream.append("User-Agent: ")
                    .append("x".repeat(random.nextInt(9000)))
                    .append("\r\n");
        }
        if (chance(strangeness / 20)) {
            stream.append("X-Request-Id: 1\r\n".repeat(random.nextInt(120)));
        }
    }

    private String lineEnd(double strangeness) {
        return chance(strangeness / 6)
                ? List.of("\n", "\r", "\r\r\n", "\r\n\r\n", " \r\n", "").get(random.nextInt(6))
                : "\r\n";
    }

    private byte[] mutate(byte[] bytes) {
        byte[] result = bytes;
        for (int i = 1 + random.nextInt(3); i > 0 && result.length > 1; i--) {
            int at = random.nextInt(result.length);
            result = switch (random.nextInt(5)) {
                case 0 -> replaced(result, at, (byte) random.nextInt(256));
                case 1 -> spliced(result, at, at, new byte[] {(byte) " \r\n:\t\0.%;?".charAt(random.nextInt(10))});
                case 2 -> spliced(result, at, at + 1, new byte[0]);
                case 3 -> Arrays.copyOf(result, at + 1);
                default -> {
                    int to = Math.min(result.length, at + 1 + random.nextInt(30));
                    yield spliced(result, at, at, Arrays.copyOfRange(result, at, to));
                }
            };
        }
        return result;
    }

    private static byte[] replaced(byte[] bytes, int at, byte with) {
        byte[] copy = bytes.clone();
        copy[at] = with;
        return copy;
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] inserted) {
        ByteArrayOutputStream result = new ByteArrayOutputStream(bytes.length + inserted.length);
        result.write(bytes, 0, from);
        result.writeBytes(inserted);
        result.write(bytes, to, bytes.length - to);
        return result.toByteArray();
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    private String any(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }
}
