package dev.weir.bench.peers;

import java.nio.charset.StandardCharsets;

/** What every server sends: 840 bytes of JSON, encoded once. */
final class Body {

    static final String PATH = "/api/products/42";
    static final byte[] BYTES = ("{\"id\":42,\"name\":\"Weir\",\"text\":\"" + "x".repeat(807) + "\"}")
            .getBytes(StandardCharsets.UTF_8);

    private Body() {}
}
