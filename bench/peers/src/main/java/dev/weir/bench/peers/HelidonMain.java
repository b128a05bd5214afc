package dev.weir.bench.peers;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;

/** Helidon's web server, one virtual thread a connection. */
public final class HelidonMain {

    private HelidonMain() {}

    public static void main(String[] arguments) {
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(arguments[0]))
                .routing(routing -> routing.get("/api/products/{id}", (request, response) -> {
                    response.header(HeaderNames.CONTENT_TYPE, "application/json");
                    response.send(Body.BYTES);
                }))
                .build()
                .start();
    }
}
