package dev.weir.bench.engine;

import dev.weir.lab.engine.NullServer;
import java.io.IOException;

/** Serves until its input ends: {@code NullServerMain [threads [bodyBytes]]}. Prints its port. */
public final class NullServerMain {
    private NullServerMain() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int bodyBytes = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        try (NullServer server = NullServer.start(0, threads, bodyBytes)) {
            System.out.println(server.address().getPort());
            while (System.in.read() >= 0) {
                // Whoever started it holds the other end.
            }
        }
    }
}
