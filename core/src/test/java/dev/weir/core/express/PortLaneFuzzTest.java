package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two servers that differ in the port lane alone must answer every byte stream alike. {@code weir.express.fuzz.streams}
 * sets the number of streams and lifts the limit of time, {@code weir.express.fuzz.seed} the seed; bench/express-fuzz runs
 * millions.
 */
class PortLaneFuzzTest {

    private static final int STREAMS = Integer.getInteger("weir.express.fuzz.streams", 40_000);
    private static final long SEED = Long.getLong("weir.express.fuzz.seed", 20261130L);
    private static final boolean LIMITED = System.getProperty("weir.express.fuzz.streams") == null;
    private static final Duration LIMIT = Duration.ofSeconds(12);
    private static final int LEAST = 1_000;

    private static final AtomicLong TOLD_BY_ARRIVAL = new AtomicLong();

    private static LaneTomcat on;
    private static LaneTomcat off;
    private static Logger tomcatLog;

    @BeforeAll
    static void start() throws IOException {
        tomcatLog = Logger.getLogger("org.apache");
        tomcatLog.setLevel(Level.OFF);
        on = server(true);
        off = server(false);
        for (String path : List.of("/p/1", "/p/2", "/p/3", "/hello", "/s/1/price")) {
            for (String accept : List.of("application/json", "application/x-protobuf")) {
                for (String encoding : List.of("identity", "gzip")) {
                    String request = "GET " + path + " HTTP/1.1\r\nHost: h\r\nAccept: " + accept
                            + "\r\nAccept-Encoding: " + encoding + "\r\n\r\n";
                    compare(request.getBytes(StandardCharsets.ISO_8859_1), new int[0], -1);
                }
            }
        }
    }

    @AfterAll
    static void stop() {
        on.close();
        off.close();
    }

    @Test
    void answersSeededStreamsAsWithoutTheLane() throws Exception {
        long before = on.answered();
        long compared = inParallel(STREAMS, LIMITED ? LIMIT : Duration.ofDays(1), PortLaneFuzzTest::compareSeeded);
        System.out.printf(
                "fuzz: %d streams, seed %d, %d answers by the poller, %d answers that hang on how the bytes arrive%n",
                compared, SEED, on.answered() - before, TOLD_BY_ARRIVAL.get());
        assertThat(compared).isGreaterThan(LEAST);
        assertThat(on.answered() - before).as("answers by the poller").isGreaterThan(compared / 20);
        assertThat(off.answered()).isZero();
    }

    @Test
    void answersAlikeWhereverARequestIsCut() throws Exception {
        String hot = "GET /p/1 HTTP/1.1\r\nHost: h\r\nAccept: application/json\r\nUser-Agent: x\r\n\r\n";
        String cold = "GET /p/99 HTTP/1.1\r\nHost: h\r\nCookie: a=b\r\n\r\n";
        String body = "POST /p/1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12345";
        for (String stream : List.of(hot, hot + hot, hot + cold + hot, body + hot, "\r\n" + hot)) {
            byte[] bytes = stream.getBytes(StandardCharsets.ISO_8859_1);
            inParallel(bytes.length - 1, LIMIT, cut -> compare(bytes, new int[] {cut + 1}, cut));
        }
    }

    private static void compareSeeded(int number) throws IOException {
        Streams streams = new Streams(SEED + number * 1_000_003L, EntityTags.of(json(1)));
        byte[] stream = streams.next();
        compare(stream, streams.cuts(stream.length), number);
    }

    /** Something done with a number. */
    private interface Step {
        void at(int number) throws IOException;
    }

    /** Takes the steps 0 to count, on several threads, until the time is over; how many were taken. */
    private static long inParallel(int count, Duration limit, Step step) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicLong taken = new AtomicLong();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(RawClient.OTHERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < RawClient.OTHERS; i++) {
                running.add(threads.submit(() -> {
                    for (int n = next.getAndIncrement();
                            n < count && System.nanoTime() - start < limit.toNanos();
                            n = next.getAndIncrement()) {
                        step.at(n);
                        taken.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        }
        return taken.get();
    }

    private static void compare(byte[] stream, int[] cuts, int number) throws IOException {
        String with = RawClient.exchange(on.port(), stream, cuts, on::looks, 1_000_000);
        String without = RawClient.exchange(off.port(), stream, cuts, () -> 0, 0);
        if (!with.equals(without) && !(cuts.length > 0 && isAlsoGivenWithout(with, stream, cuts))) {
            fail("Stream %d of seed %d, cut at %s:%n%s%n--- with the lane:%n%s%n--- without:%n%s"
                    .formatted(
                            number,
                            SEED,
                            Arrays.toString(cuts),
                            visible(new String(stream, StandardCharsets.ISO_8859_1)),
                            visible(with),
                            visible(without)));
        }
    }

    // Tomcat itself answers some broken requests by how they arrive: a version it does not speak is a 505 where the
    // headers
    // came with it, and a close without a word where they did not. Which of a cut's pieces the kernel joins is chance.
    private static boolean isAlsoGivenWithout(String with, byte[] stream, int[] cuts) throws IOException {
        for (int attempt = 0; attempt < 3; attempt++) {
            for (int[] joined : subsets(cuts)) {
                if (with.equals(
                        RawClient.exchange(off.port(), stream, joined, () -> 0, (5 << (2 * attempt)) * 1_000_000L))) {
                    TOLD_BY_ARRIVAL.incrementAndGet();
                    return true;
                }
            }
        }
        return false;
    }

    private static List<int[]> subsets(int[] cuts) {
        List<int[]> subsets = new ArrayList<>();
        for (int mask = 0; mask < (1 << cuts.length); mask++) {
            int chosen = mask;
            subsets.add(IntStream.range(0, cuts.length)
                    .filter(i -> (chosen & (1 << i)) != 0)
                    .map(i -> cuts[i])
                    .toArray());
        }
        return subsets;
    }

    private static String visible(String text) {
        return text.replace("\r", "\\r").replace("\n", "\\n\n");
    }

    private static LaneTomcat server(boolean lane) {
        CaffeineHotEntries<Long, Long> entries =
                new CaffeineHotEntries<>(100, Duration.ofHours(1), id -> id >= 1 && id <= 3 ? id : null);
        CaffeineHotEntries<String, String> hello = new CaffeineHotEntries<>(1, Duration.ofHours(1), key -> "hello");
        List<ExpressRoute<?, ?>> routes = List.of(
                ExpressRoute.<Long, Long>of("/p/{id}", Long::valueOf, entries)
                        .produces("application/json", PortLaneFuzzTest::json)
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

    private static byte[] json(long id) {
        return ("{\"id\":" + id + ",\"name\":\"" + "product ".repeat(20) + "\"}").getBytes(StandardCharsets.UTF_8);
    }
}
