package dev.weir.stack;

/**
 * Kafka of a running stack: one node, broker and controller, without encryption or password.
 *
 * @param server its process
 */
public record Kafka(Server server) {
    /** What clients take as {@code bootstrap.servers}. */
    public String bootstrap() {
        return bootstrap(server.port());
    }

    static String bootstrap(int port) {
        return "127.0.0.1:" + port;
    }
}
