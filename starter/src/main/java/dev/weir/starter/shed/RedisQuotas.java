package dev.weir.starter.shed;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.CallerKeys;
import dev.weir.core.shed.QuotaStore;
import dev.weir.starter.StopOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Adds up in Redis what callers took of all instances, ten times a second, in a thread of its own, so that neither a request nor a
 * start waits for Redis. A caller is one number in Redis, which ends by itself when the caller has its whole burst again. All keys have one hash
 * tag, so that a cluster keeps them on one node. Redis's clock counts.
 */
final class RedisQuotas implements QuotaStore, QuotaSharing, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RedisQuotas.class);
    private static final int PERIOD_MILLIS = 100;
    private static final long NANOS_PER_MICRO = 1_000;

    /**
     * KEYS: those of the callers. ARGV: the interval in microseconds, then for each what it took. Answers for each how far ahead of now
     * it is due, in microseconds. Numbers are formatted since Lua writes large ones with an exponent.
     */
    private static final RedisScript<List<?>> ADD = script("""
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local ahead = {}
            for i, key in ipairs(KEYS) do
              local due = tonumber(redis.call('GET', key) or '0')
              if due < now then due = now end
              due = due + ARGV[1] * ARGV[i + 1]
              redis.call('SET', key, string.format('%.0f', due), 'PX', string.format('%.0f', math.ceil((due - now) / 1000)))
              ahead[i] = string.format('%.0f', due - now)
            end
            return ahead
            """);

    /**
     * KEYS: the instances, the secret. ARGV: this instance, how long one counts in milliseconds, a secret in case there is none.
     * Answers the number of instances and the secret.
     */
    private static final RedisScript<List<?>> BEAT = script("""
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('ZADD', KEYS[1], now, ARGV[1])
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. string.format('%.0f', now - ARGV[2]))
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            redis.call('SET', KEYS[2], ARGV[3], 'NX')
            return {tostring(redis.call('ZCARD', KEYS[1])), redis.call('GET', KEYS[2])}
            """);

    private static final String COUNTS_FOR_MILLIS = "5000";

    private final Admission admission;
    private final CallerKeys keys;
    private final StringRedisTemplate redis;
    private final String prefix;
    private final String instance = UUID.randomUUID().toString();
    private final LongAdder failures = new LongAdder();
    /** Guarded by this. */
    private @Nullable ScheduledExecutorService timer;

    /** Of the thread that adds up. */
    private boolean failing;

    RedisQuotas(Admission admission, CallerKeys keys, RedisConnectionFactory connections, String prefix) {
        this.admission = admission;
        this.keys = keys;
        this.redis = new StringRedisTemplate(connections);
        this.prefix = "{" + prefix + ":shed}:";
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static RedisScript<List<?>> script(String text) {
        return (RedisScript) RedisScript.of(text, List.class);
    }

    /** Redis's connections have started by then. */
    @Override
    public synchronized void start() {
        if (timer == null) {
            ScheduledExecutorService own = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("weir-shed-quotas").factory());
            timer = own;
            var ignored = own.scheduleWithFixedDelay(this::round, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** After the web server and before Redis's connections. */
    @Override
    public synchronized void stop() {
        ScheduledExecutorService own = timer;
        timer = null;
        if (own != null) {
            own.shutdownNow();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return timer != null;
    }

    @Override
    public int getPhase() {
        return StopOrder.PUBLISHERS;
    }

    @Override
    public long failures() {
        return failures.sum();
    }

    void round() {
        try {
            admission.shareQuotas(this);
            failing = false;
        } catch (Exception | Error e) {
            failures.increment();
            // A stop interrupts the round that is under way.
            if (!failing && !Thread.currentThread().isInterrupted()) {
                failing = true;
                LOG.warn(
                        "weir.shed: quotas cannot be added up in Redis; until they can, each instance keeps to its part of them: {}",
                        e.toString());
            }
        }
    }

    @Override
    public Standing add(List<Taken> taken, long intervalNanos) {
        List<?> beat = run(
                BEAT,
                List.of(prefix + "instances", prefix + "secret"),
                List.of(instance, COUNTS_FOR_MILLIS, Long.toString(keys.secret())));
        keys.share(Long.parseLong(text(beat, 1)));
        return new Standing(Integer.parseInt(text(beat, 0)), ahead(taken, intervalNanos));
    }

    private List<Long> ahead(List<Taken> taken, long intervalNanos) {
        if (taken.isEmpty()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        List<String> numbers = new ArrayList<>();
        numbers.add(Double.toString((double) intervalNanos / NANOS_PER_MICRO));
        for (Taken each : taken) {
            names.add(prefix + "quota:" + Long.toHexString(each.key()));
            numbers.add(Integer.toString(each.requests()));
        }
        List<?> answer = run(ADD, names, numbers);
        List<Long> ahead = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) {
            ahead.add(Long.parseLong(text(answer, i)) * NANOS_PER_MICRO);
        }
        return ahead;
    }

    private List<?> run(RedisScript<List<?>> script, List<String> names, List<String> arguments) {
        return Objects.requireNonNull(redis.execute(script, names, arguments.toArray()), "Redis answered nothing.");
    }

    private static String text(List<?> answer, int index) {
        return Objects.requireNonNull(answer.get(index)).toString();
    }
}
