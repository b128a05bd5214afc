package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.CallerKeys;
import dev.weir.core.shed.Completion;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.QueueConfig;
import dev.weir.core.shed.QuotaConfig;
import dev.weir.core.shed.ShedConfig;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Two instances that add their callers' quotas up in a real Redis, with time of their own, and Redis killed at the end. */
@Timeout(60)
class RedisQuotasIT {

    private static final int BURST = 10;

    private static Stack stack;
    private static LettuceConnectionFactory connections;

    private final AtomicLong nanos = new AtomicLong();
    private final CallerKeys oneKeys = new CallerKeys(new Random(1));
    private final CallerKeys otherKeys = new CallerKeys(new Random(2));
    private final Admission one = admission();
    private final Admission other = admission();

    @BeforeAll
    static void start() {
        stack = Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent());
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", stack.redis().port()),
                LettuceClientConfiguration.builder()
                        .commandTimeout(Duration.ofMillis(500))
                        .build());
        connections.afterPropertiesSet();
        connections.start();
    }

    @AfterAll
    static void stop() {
        connections.destroy();
        stack.close();
    }

    private Admission admission() {
        return new Admission(
                ShedConfig.fixed(1_000).withQueue(QueueConfig.none()).withQuota(new QuotaConfig(0.01, BURST, 100)),
                nanos::get,
                1);
    }

    private static int ask(Admission admission, CallerKeys keys, String name) {
        long token = admission.tryEnter(Priority.NORMAL, keys.of(name));
        if (token >= 0) {
            admission.leave(token, Completion.SUCCESS);
            return 1;
        }
        return 0;
    }

    @Test
    void whatACallerTookOfOneInstanceCountsAtTheOtherUntilRedisIsAway() {
        var here = new RedisQuotas(one, oneKeys, connections, "test");
        var there = new RedisQuotas(other, otherKeys, connections, "test");
        here.round();
        there.round();
        assertThat(oneKeys.of("ann")).as("one secret").isEqualTo(otherKeys.of("ann"));

        for (int i = 0; i < BURST; i++) {
            assertThat(ask(one, oneKeys, "ann")).isOne();
        }
        assertThat(ask(other, otherKeys, "ann")).as("not added up yet").isOne();
        here.round();
        there.round();
        assertThat(ask(one, oneKeys, "ann")).isZero();
        assertThat(ask(other, otherKeys, "ann")).isZero();
        assertThat(ask(other, otherKeys, "bob")).isOne();
        there.round();

        var redis = new StringRedisTemplate(connections);
        for (String key : Objects.requireNonNull(redis.keys("*"))) {
            assertThat(key.contains("secret") || Objects.requireNonNull(redis.getExpire(key)) > 0)
                    .as("%s ends by itself", key)
                    .isTrue();
        }

        stack.redis().server().kill();
        here.round();
        there.round();
        assertThat(here.failures()).isOne();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        int passed = 0;
        for (int i = 0; i < BURST; i++) {
            passed += ask(one, oneKeys, "eve");
        }
        assertThat(passed).as("half of the burst, and one").isBetween(BURST / 2, BURST / 2 + 1);
    }
}
