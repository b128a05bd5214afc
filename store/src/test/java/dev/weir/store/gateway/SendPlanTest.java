package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.gateway.SendPlan.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class SendPlanTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long LATENCY = 50 * MILLI;

    private record Call(FairQueue.Entry<Held> entry, ProviderAnswer answer, long endsAt) {}

    private final SendPlan plan = new SendPlan(
            2_000, 500, new SendPlan.Retries(4, Duration.ofSeconds(1), Duration.ofSeconds(30)), new Random(1), 0);
    private final Queue<Call> calls = new ArrayDeque<>();
    private final List<MessageTable.Ending> ended = new ArrayList<>();
    private long now;
    private int sent;
    private int refused;
    private long numbers;

    @Test
    void sendsAtTheLimitAndNotAbove() {
        addMany(20_000);

        run(5 * SECOND, at -> new ProviderAnswer.Taken("x"));

        assertThat(sent).isBetween(9_850, 9_921);
    }

    @Test
    void aProviderThatHasNotAnsweredIsNotTakenToBeInstant() {
        assertThat(plan.sendTime()).isEqualTo(Duration.ofMillis(100));
        plan.assumeSendTime(Duration.ofMillis(300));
        assertThat(plan.sendTime()).isEqualTo(Duration.ofMillis(300));
        addMany(1);

        run(SECOND, at -> new ProviderAnswer.Taken("x"));

        assertThat(plan.sendTime()).isEqualTo(Duration.ofNanos(LATENCY));
        plan.assumeSendTime(Duration.ofMillis(300));
        assertThat(plan.sendTime()).isEqualTo(Duration.ofNanos(LATENCY));
    }

    @Test
    void findsALowerLimitOfTheProviderAndComesBackWhenItIsRaised() {
        addMany(450_000);
        ProviderLimit limit = new ProviderLimit();
        limit.perSecond = 500;

        run(120 * SECOND, limit::answer);

        int taken = sent - refused;
        assertThat(taken / 120.0).isBetween(450.0, 500.0);
        assertThat(refused).isLessThan(taken / 50);
        limit.perSecond = 2_000;
        run(150 * SECOND, limit::answer);
        int before = sent - refused;
        run(10 * SECOND, limit::answer);
        assertThat((sent - refused - before) / 10.0).isBetween(1_750.0, 2_000.0);
    }

    @Test
    void findsTheLimitOfAProviderThatCountsByASmallBucket() {
        addMany(120_000);
        Bucket bucket = new Bucket(500, 20);

        run(120 * SECOND, bucket::answer);

        assertThat((sent - refused) / 120.0).isBetween(420.0, 501.0);
    }

    @Test
    void oneRefusalInLightTrafficDelaysNothingForLong() {
        trickle(20, SECOND, at -> new ProviderAnswer.Taken("x"));

        trickle(1, SECOND, at -> new ProviderAnswer.Busy(Duration.ofSeconds(1)));
        trickle(20, 2 * SECOND, at -> new ProviderAnswer.Taken("x"));

        assertThat(plan.cuts()).isEqualTo(1);
        assertThat(plan.perSecond(now)).isGreaterThan(1_700);
    }

    @Test
    void aLimitBelowLightTrafficIsFoundAllTheSame() {
        ProviderLimit limit = new ProviderLimit();
        limit.perSecond = 20;

        trickle(30 * 60, 60 * SECOND, limit::answer);

        assertThat(plan.perSecond(now)).isLessThan(40);
        assertThat(sent - refused).isBetween(600, 1_200);
    }

    @Test
    void whatTheProviderAnswersWhileItIsAwaySaysNothingOfItsLimit() {
        addMany(1_000);
        run(60 * SECOND, at -> new ProviderAnswer.Trouble("connection refused"));

        run(5 * SECOND, at -> new ProviderAnswer.Busy(Duration.ofSeconds(1)));
        run(10 * SECOND, at -> new ProviderAnswer.Taken("x"));

        assertThat(plan.perSecond(now)).isGreaterThan(800);
    }

    @Test
    void ofWhatIsAnotherInstancesOnlyThatItWasTakenIsKnown() {
        for (ProviderAnswer answer : List.of(
                new ProviderAnswer.Taken("x"),
                new ProviderAnswer.Refused("422"),
                new ProviderAnswer.Busy(Duration.ZERO),
                new ProviderAnswer.Trouble("500"))) {
            add("c", "r");
            now += SECOND;
            FairQueue.Entry<Held> entry = ((Step.Send) plan.next(now)).entry();
            entry.item().lost = true;

            MessageTable.Ending ending = plan.answered(entry, answer, now);

            if (answer instanceof ProviderAnswer.Taken) {
                assertThat(ending).isNotNull();
            } else {
                assertThat(ending).as("%s", answer).isNull();
            }
            assertThat(plan.waiting()).isZero();
            assertThat(plan.inFlight()).isZero();
        }
    }

    @Test
    void nothingFailsHoweverLongTheProviderIsAway() {
        addMany(1_000);

        run(600 * SECOND, at -> new ProviderAnswer.Trouble("connection refused"));

        assertThat(plan.isAway()).isTrue();
        assertThat(ended).isEmpty();
        assertThat(sent).as("probes").isLessThan(400);
        run(40 * SECOND, at -> new ProviderAnswer.Taken("x"));
        assertThat(ended).hasSize(1_000).allMatch(end -> end.status() == MessageStatus.SENT);
    }

    @Test
    void aMessageTheProviderFailsOnIsGivenUpWhileOthersGoOn() {
        add("c", "poison");
        addMany(500_000);

        run(60 * SECOND, at -> new ProviderAnswer.Taken("x"), at -> new ProviderAnswer.Trouble("500"));

        assertThat(ended.stream().filter(end -> end.status() == MessageStatus.FAILED))
                .hasSize(1);
        assertThat(sent).isGreaterThan(100_000);
    }

    @Test
    void aMessageTheProviderWillNotTakeFailsAtOnceWithTheReason() {
        add("c", "r");

        run(SECOND, at -> new ProviderAnswer.Refused("The provider answered 422"));

        assertThat(ended).singleElement().satisfies(end -> {
            assertThat(end.status()).isEqualTo(MessageStatus.FAILED);
            assertThat(end.reason()).isEqualTo("The provider answered 422");
        });
    }

    @Test
    void waitsAsLongAsTheProviderAsksFor() {
        addMany(100);
        run(LATENCY, at -> new ProviderAnswer.Busy(Duration.ofSeconds(7)));
        run(LATENCY, at -> new ProviderAnswer.Busy(Duration.ofSeconds(7)));
        int before = sent;

        run(6 * SECOND, at -> new ProviderAnswer.Taken("x"));

        assertThat(sent).isEqualTo(before);
        run(2 * SECOND, at -> new ProviderAnswer.Taken("x"));
        assertThat(sent).isGreaterThan(before);
    }

    /** Messages that come evenly, each to another recipient. */
    private void trickle(int count, long nanos, LongFunction<ProviderAnswer> provider) {
        for (int i = 0; i < count; i++) {
            add("c", "trickle" + numbers);
            run(nanos / count, provider);
        }
    }

    private void addMany(int count) {
        for (int i = 0; i < count; i++) {
            add("client" + i % 3, "r" + i % 5_000);
        }
    }

    private void add(String client, String to) {
        plan.add(new Held(new Outgoing(new UUID(0, 0), client, to, "text", numbers++), 0, 0));
    }

    private void run(long nanos, LongFunction<ProviderAnswer> provider) {
        run(nanos, provider, provider);
    }

    private void run(long nanos, LongFunction<ProviderAnswer> provider, LongFunction<ProviderAnswer> ofPoison) {
        long end = now + nanos;
        while (now < end) {
            for (Call call = calls.peek(); call != null && call.endsAt <= now; call = calls.peek()) {
                calls.remove();
                MessageTable.Ending ending = plan.answered(call.entry, call.answer, now);
                if (ending != null) {
                    ended.add(ending);
                }
            }
            Step step = plan.next(now);
            while (step instanceof Step.Send(FairQueue.Entry<Held> entry)) {
                boolean poison = entry.item().message().to().equals("poison");
                ProviderAnswer answer = (poison ? ofPoison : provider).apply(now);
                sent++;
                refused += answer instanceof ProviderAnswer.Busy ? 1 : 0;
                calls.add(new Call(entry, answer, now + LATENCY));
                step = plan.next(now);
            }
            now += MILLI;
        }
    }

    /** Fills evenly and has room for few. */
    private static final class Bucket {

        private final double perSecond;
        private final int room;
        private double left;
        private long last;

        Bucket(double perSecond, int room) {
            this.perSecond = perSecond;
            this.room = room;
        }

        ProviderAnswer answer(long at) {
            left = Math.min(room, left + (at - last) * perSecond / SECOND);
            last = at;
            if (left < 1) {
                return new ProviderAnswer.Busy(Duration.ofSeconds(1));
            }
            left--;
            return new ProviderAnswer.Taken("x");
        }
    }

    /** Counts in windows of one second, as providers do. */
    private static final class ProviderLimit {

        int perSecond;
        private long windowStart = Long.MIN_VALUE / 2;
        private int taken;

        ProviderAnswer answer(long at) {
            if (at - windowStart >= SECOND) {
                windowStart = at;
                taken = 0;
            }
            taken++;
            return taken > perSecond ? new ProviderAnswer.Busy(Duration.ofSeconds(1)) : new ProviderAnswer.Taken("x");
        }
    }
}
