package dev.weir.bench.peers;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;

/** Vert.x core, one event loop, native transport where it finds one. */
public final class VertxMain {

    private VertxMain() {}

    public static void main(String[] arguments) {
        Buffer body = Buffer.buffer(Body.BYTES);
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true))
                .createHttpServer()
                .requestHandler(request -> {
                    if (request.path().equals(Body.PATH)) {
                        request.response().putHeader("Content-Type", "application/json").end(body);
                    } else {
                        request.response().setStatusCode(404).end();
                    }
                })
                .listen(Integer.parseInt(arguments[0]), "127.0.0.1");
    }
}
