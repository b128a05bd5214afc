package dev.weir.core.express;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Two servers with the same routes that differ in the port lane alone; every form of every value is encoded in both. */
final class Twins implements AutoCloseable {

    private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

    final LaneTomcat on;
    final LaneTomcat off;

    Twins() throws IOException {
        TOMCAT_LOG.setLevel(Level.OFF);
        on = server(true);
        off = server(false);
        for (String path : List.of("/p/1", "/p/2", "/p/3", "/hello", "/s/1/price")) {
            for (String accept : List.of("application/json", "application/x-protobuf")) {
                for (String encoding : List.of("identity", "gzip")) {
                    encoded("GET " + path + " HTTP/1.1\r\nHost: h\r\nAccept: " + accept + "\r\nAccept-Encoding: "
                            + encoding + "\r\n\r\n");
                }
            }
        }
    }

    private void encoded(String request) throws IOException {
        byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
        RawClient.exchange(on.port(), bytes, new int[0], 0);
        RawClient.exchange(off.port(), bytes, new int[0], 0);
    }

    /** What the product of an id looks like. */
    static byte[] json(long id) {
        return ("{\"id\":" + id + ",\"name\":\"" + "product ".repeat(20) + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        on.close();
        off.close();
    }

    private static LaneTomcat server(boolean lane) {
        CaffeineHotEntries<Long, Long> entries =
                new CaffeineHotEntries<>(100, Duration.ofHours(1), id -> id >= 1 && id <= 3 ? id : null);
        CaffeineHotEntries<String, String> hello = new CaffeineHotEntries<>(1, Duration.ofHours(1), key -> "hello");
        List<ExpressRoute<?, ?>> routes = List.of(
                ExpressRoute.<Long, Long>of("/p/{id}", Long::valueOf, entries)
                        .produces("application/json", Twins::json)
                        .produces("application/x-protobuf", id -> new byte[] {8, id.byteValue()})
                        .header("X-Content-Type-Options", "nosniff")
                        .cacheControl("public, max-age=5")
                        .gzipFrom(100)
                        .build(),
                ExpressRoute.of("/hello", key -> key, hello)
                        .produces("text/plain;charset=UTF-8", text -> text.getBytes(StandardCharsets.UTF_8))
                        .withoutGzip()
                        .build(),
                ExpressRoute.<Long, Long>of("/s/{id}/price", Long::valueOf, entries)
                        .produces("application/json", id -> ("{\"price\":" + id + "}").getBytes(StandardCharsets.UTF_8))
                        .build());
        return LaneTomcat.of(routes, LaneTomcat.settings(2), Admission.open(), lane, server -> {
            server.protocol.setMaxKeepAliveRequests(5);
            server.protocol.setConnectionTimeout(10_000);
            // Tomcat's processors keep the version of their last request: a later one whose version is broken gets its
            // 400 with a head or without, by what the processor did before. New ones answer the same each time.
            server.protocol.setProcessorCache(0);
        });
    }
}
