package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    private static final int STREAMS = Integer.getInteger("weir.express.fuzz.streams", 60_000);
    private static final long SEED = Long.getLong("weir.express.fuzz.seed", 20261130L);
    private static final boolean LIMITED = System.getProperty("weir.express.fuzz.streams") == null;
    private static final Duration LIMIT = Duration.ofSeconds(25);
    private static final int LEAST = 1_000;
    private static final String TAG = EntityTags.of(Twins.json(1));

    private static Twins twins;

    private long toldByArrival;

    @BeforeAll
    static void start() throws IOException {
        twins = new Twins();
    }

    @AfterAll
    static void stop() {
        twins.close();
    }

    @Test
    void answersSeededStreamsAsWithoutTheLane() throws IOException {
        long before = twins.on.answered();
        long start = System.nanoTime();
        long compared = run().run(STREAMS, LIMITED ? LIMIT : Duration.ofDays(1), PortLaneFuzzTest::seeded);
        long answered = twins.on.answered() - before;
        long cutInTime = twins.on.lane.passedOn(PassedOn.INCOMPLETE);
        System.out.printf(
                "fuzz: %d streams, seed %d, %d a second, %d answers by the poller, %d looks at a part of a request,"
                        + " %d answers that hang on how the bytes arrive%n",
                compared,
                SEED,
                compared * 1_000_000_000L / (System.nanoTime() - start),
                answered,
                cutInTime,
                toldByArrival);
        assertThat(compared).isGreaterThan(LEAST);
        assertThat(answered).as("answers by the poller").isGreaterThan(compared / 20);
        assertThat(cutInTime).as("looks at a part of a request").isGreaterThan(compared / 20);
        assertThat(twins.off.answered()).isZero();
    }

    @Test
    void answersAlikeWhereverARequestIsCut() throws IOException {
        String hot = "GET /p/1 HTTP/1.1\r\nHost: h\r\nAccept: application/json\r\nUser-Agent: x\r\n\r\n";
        String cold = "GET /p/99 HTTP/1.1\r\nHost: h\r\nCookie: a=b\r\n\r\n";
        String body = "POST /p/1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12345";
        for (String stream : List.of(hot, hot + hot, hot + cold + hot, body + hot, "\r\n" + hot)) {
            byte[] bytes = stream.getBytes(StandardCharsets.ISO_8859_1);
            long compared = run().run(bytes.length - 1, LIMIT, at -> new TwinRun.Stream(at, bytes, new int[] {at + 1}));
            assertThat(compared).isEqualTo(bytes.length - 1);
        }
    }

    private TwinRun run() {
        return new TwinRun(twins.on.port(), twins.off.port(), this::judge);
    }

    private static TwinRun.Stream seeded(int number) {
        Streams streams = new Streams(SEED + number * 1_000_003L, TAG);
        byte[] stream = streams.next();
        return new TwinRun.Stream(number, stream, streams.cuts(stream.length));
    }

    private void judge(TwinRun.Stream stream, String with, String without) throws IOException {
        int[] cuts = stream.cuts;
        if (cuts.length > 0 && isAlsoGivenWithout(with, stream.bytes, cuts)) {
            toldByArrival++;
            return;
        }
        fail("Stream %d of seed %d, cut at %s:%n%s%n--- with the lane:%n%s%n--- without:%n%s"
                .formatted(
                        stream.number,
                        SEED,
                        Arrays.toString(cuts),
                        visible(new String(stream.bytes, StandardCharsets.ISO_8859_1)),
                        visible(with),
                        visible(without)));
    }

    // Tomcat itself answers some broken requests by how they arrive: a version it does not speak is a 505 where the
    // headers came with it, and a close without a word where they did not. Which of a cut's pieces the kernel joins is
    // chance.
    private static boolean isAlsoGivenWithout(String with, byte[] stream, int[] cuts) throws IOException {
        for (int attempt = 0; attempt < 3; attempt++) {
            for (int[] joined : subsets(cuts)) {
                long waitNanos = (5 << (2 * attempt)) * 1_000_000L;
                if (with.equals(RawClient.exchange(twins.off.port(), stream, joined, waitNanos))) {
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
}
