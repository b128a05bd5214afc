package dev.weir.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;

/** Reactor Netty with its default loops. */
public final class ReactorNettyMain {

    private ReactorNettyMain() {}

    public static void main(String[] arguments) {
        ByteBuf body = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(Body.BYTES.length).writeBytes(Body.BYTES).asReadOnly());
        HttpServer.create()
                .host("127.0.0.1")
                .port(Integer.parseInt(arguments[0]))
                .route(routes -> routes.get("/api/products/{id}", (request, response) -> response.header(
                                "Content-Type", "application/json")
                        .header("Content-Length", Integer.toString(Body.BYTES.length))
                        .send(Mono.fromSupplier(body::duplicate))))
                .bindNow()
                .onDispose()
                .block();
    }
}
