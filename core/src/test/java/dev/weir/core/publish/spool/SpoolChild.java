package dev.weir.core.publish.spool;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A process that appends until it is killed, and says what was acknowledged. */
final class SpoolChild {
    private SpoolChild() {}

    public static void main(String[] arguments) throws Exception {
        Spool spool = Spool.open(Path.of(arguments[0]), SpoolConfig.defaults().withSegmentBytes(1 << 16));
        for (int thread = 0; thread < 4; thread++) {
            String name = arguments[1] + "-" + thread;
            Thread.ofPlatform().start(() -> appendForever(spool, name));
        }
        Thread.currentThread().join();
    }

    private static void appendForever(Spool spool, String name) {
        for (int i = 0; ; i++) {
            String record = name + "-" + i;
            CompletableFuture<Long> durable =
                    spool.append((record + " ".repeat(i % 500)).getBytes(StandardCharsets.UTF_8));
            durable.join();
            synchronized (System.out) {
                System.out.println(record);
                System.out.flush();
            }
        }
    }
}
