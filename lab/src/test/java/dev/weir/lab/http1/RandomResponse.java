package dev.weir.lab.http1;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Bytes that are a response, almost one, or none. */
final class RandomResponse {
    private static final String[] STATUS_LINES = {
        "HTTP/1.1 200 OK",
        "HTTP/1.1 404",
        "HTTP/1.0 200 ",
        "HTTP/1.1 204 No Content",
        "HTTP/1.1 100 Continue",
        "HTTP/1.1 999 x",
        "HTTP/3 200",
        "garbage"
    };
    private static final String[] FIELDS = {
        "Content-Length: 7",
        "content-length:0",
        "Content-Length: 12, 12",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip",
        "Connection: close",
        "Connection: keep-alive",
        "Date: Mon, 30 Nov 2026",
        " folded",
        "X-Long: " + "y".repeat(200),
        "Cont: x",
        "bad line"
    };
    private static final String[] BODIES = {
        "",
        "1234567",
        "1234567890123",
        "7\r\nabcdefg\r\n0\r\n\r\n",
        "1;e\r\nx\r\n0\r\nT: u\r\n\r\n",
        "z\r\n",
        "x".repeat(1_200)
    };

    private RandomResponse() {}

    static byte[] next(Random random) {
        String end = random.nextInt(5) == 0 ? "\n" : "\r\n";
        StringBuilder text = new StringBuilder();
        do {
            text.append(pick(STATUS_LINES, random)).append(end);
            for (int fields = random.nextInt(4); fields > 0; fields--) {
                text.append(pick(FIELDS, random)).append(end);
            }
            text.append(end);
        } while (random.nextInt(4) == 0);
        text.append(pick(BODIES, random));
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        for (int damages = Math.max(0, random.nextInt(6) - 3); damages > 0; damages--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private static String pick(String[] from, Random random) {
        return from[random.nextInt(from.length)];
    }
}
