package dev.weir.core.cache;

import static dev.weir.core.cache.SharedRecord.LEASE;
import static dev.weir.core.cache.SharedRecord.VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.cache.Remote.Acquired;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each step of {@link Scripts} alone, on a real Redis. */
@Timeout(60)
class ScriptsIT {
    private static final String CACHE = "texts";
    private static final String KEY = "k";
    private static final long EPOCH = 5;
    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);
    private static final CachesConfig COMMON = CachesConfig.defaults().withCommandTimeout(Duration.ofSeconds(2));
    private static final byte[] BYTES = {1};

    private static Stack stack;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> plain;
    private static LettuceRemote remote;

    @BeforeAll
    static void start() throws Exception {
        stack = Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent());
        client = RedisClient.create(stack.redis().url());
        plain = client.connect();
        remote = new LettuceRemote(RedisURI.create("127.0.0.1", stack.redis().port()), "n", COMMON);
        remote.start(new Nobody());
        CacheRedisIT.await("a connection", () -> {
            remote.upkeep();
            return !remote.get(CACHE, KEY).isCompletedExceptionally();
        });
    }

    @AfterAll
    static void stop() {
        remote.close(BYTES);
        plain.close();
        client.shutdown();
        stack.close();
    }

    @BeforeEach
    void flush() {
        plain.sync().flushall();
    }

    @Test
    void aFillReplacesTheVeryLeaseThatItsReaderLeft() throws Exception {
        acquire(1);
        evict(MINUTE);
        assertThat(fill(1)).as("evicted").isFalse();
        acquire(2);
        assertThat(fill(1)).as("another's lease").isFalse();
        assertThat(fill(2)).isTrue();
        assertThat(type()).isEqualTo(VALUE);
    }

    @Test
    void aFillIntoNothingIsRefused() throws Exception {
        acquire(1);
        plain.sync().flushall();

        assertThat(fill(1)).isFalse();
        assertThat(done(remote.get(CACHE, KEY))).isNull();
    }

    @Test
    void aLeaseIsHeldAgainstOthersAndGivenUpByItsHolderAlone() throws Exception {
        assertThat(acquire(1)).isEqualTo(new Acquired.Granted(false));
        assertThat(acquire(2)).isEqualTo(new Acquired.Held(false));

        release(2);
        assertThat(acquire(2)).isEqualTo(new Acquired.Held(false));
        release(1);
        assertThat(acquire(2)).isEqualTo(new Acquired.Granted(false));
    }

    @Test
    void aLeaseOfAnotherEpochIsTakenOver() throws Exception {
        acquire(1);

        assertThat(done(remote.acquire(CACHE, KEY, EPOCH + 1, 2, MINUTE))).isEqualTo(new Acquired.Granted(false));
    }

    @Test
    void anEvictionTakesTheValueAndGuardsTheKey() throws Exception {
        acquire(1);
        fill(1);
        evict(MINUTE);

        assertThat(type()).isEqualTo(SharedRecord.TOMBSTONE);
        assertThat(acquire(2)).isEqualTo(new Acquired.Granted(true));
        assertThat(acquire(3)).isEqualTo(new Acquired.Held(true));
    }

    @Test
    void theGuardOutlastsALeaseThatIsGivenUp() throws Exception {
        evict(MINUTE);
        acquire(1);
        release(1);

        assertThat(acquire(2)).isEqualTo(new Acquired.Granted(true));
    }

    @Test
    void theGuardOutlastsALeaseThatExpires() throws Exception {
        evict(MINUTE);
        done(remote.acquire(CACHE, KEY, EPOCH, 1, 1));

        assertThat(millisLeft()).isGreaterThan(MINUTE / 2);
    }

    @Test
    void theGuardOutlastsTheNextValue() throws Exception {
        evict(MINUTE);
        acquire(1);
        assertThat(fill(1, 2 * MINUTE)).isTrue();
        assertThat(type()).isEqualTo(VALUE);

        assertThat(put(2, 2 * MINUTE)).isFalse();
        assertThat(type()).isEqualTo(SharedRecord.TOMBSTONE);
    }

    @Test
    void aValueThatWouldExpireBeforeTheGuardIsNotKept() throws Exception {
        evict(MINUTE);
        acquire(1);

        assertThat(fill(1, MINUTE / 2)).isTrue();
        assertThat(type()).isEqualTo(SharedRecord.TOMBSTONE);
        assertThat(millisLeft()).isGreaterThan(MINUTE / 2);
    }

    @Test
    void aPutIsStoredAndASecondOneSoonAfterIsNot() throws Exception {
        assertThat(put(1, 2 * MINUTE)).isTrue();
        assertThat(type()).isEqualTo(VALUE);

        assertThat(put(2, 2 * MINUTE)).isFalse();
        assertThat(type()).isEqualTo(SharedRecord.TOMBSTONE);
    }

    @Test
    void aPutThatWouldExpireBeforeItsGuardIsNotStored() throws Exception {
        assertThat(put(1, MINUTE / 2)).isFalse();
        assertThat(type()).isEqualTo(SharedRecord.TOMBSTONE);
    }

    @Test
    void aBeatKeepsTheEpochsOfThisRedisAndNoOthers() throws Exception {
        assertThat(beat(1)).isEqualTo(Map.of(CACHE, 1L));
        assertThat(beat(2)).isEqualTo(Map.of(CACHE, 1L));
        done(remote.clear(CACHE, 3, BYTES));
        assertThat(beat(4)).isEqualTo(Map.of(CACHE, 3L));

        plain.sync().hset("weir:epochs", ":run", "of the process before");
        assertThat(beat(5)).isEqualTo(Map.of(CACHE, 5L));
        plain.sync().flushall();
        assertThat(beat(6)).isEqualTo(Map.of(CACHE, 6L));
    }

    private static Acquired acquire(long token) throws Exception {
        return done(remote.acquire(CACHE, KEY, EPOCH, token, MINUTE));
    }

    private static boolean fill(long token) throws Exception {
        return fill(token, 2 * MINUTE);
    }

    private static boolean fill(long token, long ttlMillis) throws Exception {
        byte[] expected = SharedRecord.identity(LEASE, EPOCH, token);
        return done(remote.fill(CACHE, KEY, expected, VALUE, 100 + token, BYTES, ttlMillis));
    }

    /** Nobody waits for it, but commands are in order. */
    private static void release(long token) {
        remote.release(CACHE, KEY, SharedRecord.identity(LEASE, EPOCH, token));
    }

    private static boolean put(long id, long ttlMillis) throws Exception {
        byte[] identity = SharedRecord.identity(VALUE, EPOCH, id);
        return done(remote.put(CACHE, KEY, identity, BYTES, ttlMillis, MINUTE, BYTES))
                .stored();
    }

    private static void evict(long guardMillis) throws Exception {
        done(remote.evict(CACHE, List.of(KEY), guardMillis, BYTES));
    }

    private static Map<String, Long> beat(long proposed) throws Exception {
        return done(remote.beat(Map.of(CACHE, proposed), BYTES));
    }

    private static byte type() throws Exception {
        return Objects.requireNonNull(SharedRecord.parse(done(remote.get(CACHE, KEY))))
                .type();
    }

    private static long millisLeft() {
        return plain.sync().pttl("weir:v:" + CACHE + ":" + KEY);
    }

    private static <T> T done(CompletableFuture<T> command) throws ExecutionException, InterruptedException {
        return command.orTimeout(30, TimeUnit.SECONDS).get();
    }

    /** Listens and does nothing. */
    private static final class Nobody implements Remote.Listener {
        @Override
        public void subscribed() {}

        @Override
        public void away() {}

        @Override
        public void lost() {}

        @Override
        public void message(byte[] bytes) {}
    }
}
