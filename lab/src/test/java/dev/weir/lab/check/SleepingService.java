package dev.weir.lab.check;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A JDK HTTP server in a process of its own: so many threads, each request sleeps. Ends when its standard input does.
 * After a number of answers it can end at once, or stand still for good.
 */
final class SleepingService {

    /** Arguments: threads, milliseconds, then optionally {@code die N} or {@code freeze N}. */
    public static void main(String[] arguments) throws IOException {
        int threads = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        String fate = arguments.length > 2 ? arguments[2] : "live";
        long after = arguments.length > 3 ? Long.parseLong(arguments[3]) : Long.MAX_VALUE;
        AtomicLong answers = new AtomicLong();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.setExecutor(Executors.newFixedThreadPool(threads));
        server.createContext("/", exchange -> {
            try {
                if (answers.incrementAndGet() > after) {
                    if (fate.equals("die")) {
                        Runtime.getRuntime().halt(1);
                    }
                    Thread.sleep(Long.MAX_VALUE);
                }
                Thread.sleep(millis);
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write(new byte[] {'o', 'k'});
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Only its end matters.
        }
        System.exit(0);
    }

    private SleepingService() {}
}
