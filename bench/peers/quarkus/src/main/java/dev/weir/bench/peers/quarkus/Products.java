package dev.weir.bench.peers.quarkus;

import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.nio.charset.StandardCharsets;

/** The same 840 bytes twice: from a resource of Quarkus REST on the event loop, and from a route of Vert.x below it. */
@Path("/api/products")
public class Products {

    private static final byte[] BYTES =
            ("{\"id\":42,\"name\":\"Weir\",\"text\":\"" + "x".repeat(807) + "\"}").getBytes(StandardCharsets.UTF_8);

    @GET
    @Path("/{id}")
    @Produces("application/json")
    @NonBlocking
    public byte[] product(@PathParam("id") long id) {
        if (id != 42) {
            throw new NotFoundException();
        }
        return BYTES;
    }

    void route(@Observes Router router) {
        Buffer body = Buffer.buffer(BYTES);
        router.get("/routed/products/42").handler(context -> context.response()
                .putHeader("Content-Type", "application/json")
                .end(body));
    }
}
