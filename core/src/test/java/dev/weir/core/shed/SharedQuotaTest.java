package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Instances that add up their callers' quotas ten times a second. */
class SharedQuotaTest {

    private static final int PER_SECOND = 100;
    private static final int BURST = 10;

    private final FakeClock clock = new FakeClock();
    private final Store store = new Store();

    /** What Redis does. */
    private final class Store implements QuotaStore {
        private final Map<Long, Long> due = new HashMap<>();
        private int instances = 1;
        private boolean away;
        private int told;

        @Override
        public Standing add(List<Taken> taken, long intervalNanos) throws java.io.IOException {
            if (away) {
                throw new java.io.IOException("as asked for");
            }
            List<Long> ahead = new ArrayList<>();
            for (Taken each : taken) {
                long now = clock.nanoTime();
                long next = Math.max(due.getOrDefault(each.key(), now), now) + each.requests() * intervalNanos;
                due.put(each.key(), next);
                ahead.add(next - now);
            }
            told += taken.size();
            return new Standing(instances, ahead);
        }
    }

    private Admission instance(int maxCallers) {
        return new Admission(
                ShedConfig.fixed(1_000)
                        .withQueue(QueueConfig.none())
                        .withQuota(new QuotaConfig(PER_SECOND, BURST, maxCallers)),
                clock,
                1);
    }

    private List<Admission> instances(int number) throws Exception {
        List<Admission> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            all.add(instance(100));
        }
        store.instances = number;
        for (Admission each : all) {
            each.shareQuotas(store);
        }
        return all;
    }

    private static int ask(Admission admission, long key) {
        long token = admission.tryEnter(Priority.NORMAL, key);
        if (token >= 0) {
            admission.leave(token, Completion.SUCCESS);
            return 1;
        }
        return 0;
    }

    /** One caller asks 1,000 times a second, each time another instance. */
    private int passed(List<Admission> all, Duration time, boolean adds) {
        var random = new Random(4);
        int passed = 0;
        for (int milli = 0; milli < time.toMillis(); milli++) {
            clock.advance(Duration.ofMillis(1));
            passed += ask(all.get(random.nextInt(all.size())), 7);
            if (adds && milli % 100 == 0) {
                for (Admission each : all) {
                    try {
                        each.shareQuotas(store);
                    } catch (Exception e) {
                        assertThat(store.away).isTrue();
                    }
                }
            }
        }
        return passed;
    }

    @Test
    void allInstancesTogetherLetACallersRateThrough() throws Exception {
        List<Admission> all = instances(5);
        passed(all, Duration.ofSeconds(10), true);
        assertThat(passed(all, Duration.ofSeconds(60), true)).isBetween(5_700, 6_300);
    }

    @Test
    void instancesThatDoNotAddUpLetItThroughManyTimes() throws Exception {
        List<Admission> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(instance(100));
        }
        assertThat(passed(all, Duration.ofSeconds(60), false)).isGreaterThan(25_000);
    }

    @Test
    void whileTheStoreIsAwayEachKeepsToItsPart() throws Exception {
        List<Admission> all = instances(5);
        passed(all, Duration.ofSeconds(10), true);
        store.away = true;
        passed(all, Duration.ofSeconds(2), true);
        assertThat(passed(all, Duration.ofSeconds(60), true)).isBetween(5_700, 6_300);
        store.away = false;
        passed(all, Duration.ofSeconds(2), true);
        assertThat(passed(all, Duration.ofSeconds(60), true)).isBetween(5_700, 6_300);
    }

    @Test
    void otherCallersKeepTheirs() throws Exception {
        List<Admission> all = instances(2);
        passed(all, Duration.ofSeconds(10), true);
        int passed = 0;
        for (int i = 0; i < BURST; i++) {
            passed += ask(all.get(i % 2), 8);
        }
        assertThat(passed).isEqualTo(BURST);
    }

    @Test
    void aRefusedCallerIsToldWhenAllInstancesTogetherLetItThroughAgain() throws Exception {
        List<Admission> all = instances(2);
        for (Admission each : all) {
            for (int i = 0; i < BURST; i++) {
                assertThat(ask(each, 7)).isOne();
            }
        }
        all.get(0).shareQuotas(store);
        all.get(1).shareQuotas(store);
        long token = all.get(1).tryEnter(Priority.NORMAL, 7);
        assertThat(token).isNegative();
        Duration wait = all.get(1).refused(token, 7).retryAfter();
        assertThat(wait).isBetween(Duration.ofMillis(105), Duration.ofMillis(115));
        clock.advance(wait);
        assertThat(ask(all.get(1), 7)).isOne();
    }

    @Test
    void aFloodOfCallersIsToldInPartAndForgotten() throws Exception {
        var quota = new CallerQuota(new QuotaConfig(PER_SECOND, BURST, 1_000));
        quota.sync(store, clock);
        for (long caller = 0; caller < 100_000; caller++) {
            quota.take(caller, clock.nanoTime());
        }
        assertThat(quota.untold()).isLessThanOrEqualTo(10_000);
        assertThat(quota.remembered()).isLessThanOrEqualTo(1_000);
        int before = store.told;
        quota.sync(store, clock);
        assertThat(store.told - before).isLessThanOrEqualTo(1_000);
    }

    @Test
    void aStoreThatFailsIsToldOf() {
        store.away = true;
        assertThatThrownBy(() -> instance(10).shareQuotas(store)).hasMessage("as asked for");
    }
}
