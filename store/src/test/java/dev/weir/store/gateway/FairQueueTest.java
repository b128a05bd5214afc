package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.gateway.FairQueue.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    private final FairQueue<String> queue = new FairQueue<>();
    private long numbers;

    @Test
    void oneClientsHundredThousandDoNotDelayAnothersTen() {
        for (int i = 0; i < 100_000; i++) {
            queue.add("big", "r" + i, numbers++, "big-" + i);
        }
        for (int i = 0; i < 10; i++) {
            queue.add("small", "r" + i, numbers++, "small-" + i);
        }

        List<String> first = take(21);

        assertThat(first.stream().filter(item -> item.startsWith("small"))).hasSize(10);
    }

    @Test
    void ofOneClientThoseGoFirstThatCameFirst() {
        queue.add("c", "one", numbers++, "1");
        queue.add("c", "two", numbers++, "2");
        queue.add("c", "one", numbers++, "3");
        queue.add("c", "three", numbers++, "4");

        assertThat(take(4)).containsExactly("1", "2", "3", "4");
    }

    @Test
    void whatWasReadLaterButAcceptedEarlierGoesFirst() {
        queue.add("c", "one", 7, "seventh");
        queue.add("c", "two", 3, "third");

        assertThat(take(2)).containsExactly("third", "seventh");
    }

    @Test
    void aRecipientGetsOneAtATimeAndNobodyElseWaits() {
        queue.add("c", "one", numbers++, "1");
        queue.add("c", "one", numbers++, "2");
        queue.add("c", "two", numbers++, "3");

        Entry<String> first = next(0);
        Entry<String> second = next(0);

        assertThat(first.item()).isEqualTo("1");
        assertThat(second.item()).isEqualTo("3");
        assertThat(queue.next(0)).isNull();
        queue.end(first);
        assertThat(next(0).item()).isEqualTo("2");
    }

    @Test
    void whatIsPutBackGoesBeforeLaterOnesAndNotBeforeItsTime() {
        queue.add("c", "one", numbers++, "1");
        queue.add("c", "one", numbers++, "2");
        queue.putBack(next(0), 100);

        assertThat(queue.next(99)).isNull();
        assertThat(queue.delayNanos(40)).isEqualTo(60);
        Entry<String> again = next(100);
        assertThat(again.item()).isEqualTo("1");
        queue.end(again);
        assertThat(next(100).item()).isEqualTo("2");
    }

    @Test
    void whatIsAnotherInstancesNowIsTakenOutWhereverItStands() {
        queue.add("c", "one", numbers++, "gone-1");
        queue.add("c", "one", numbers++, "kept-1");
        queue.add("c", "two", numbers++, "gone-2");
        queue.add("c", "three", numbers++, "kept-2");
        queue.putBack(next(0), 50);
        Entry<String> underWay = next(0);

        queue.removeIf(item -> item.startsWith("gone"));

        assertThat(underWay.item()).isEqualTo("gone-2");
        queue.end(underWay);
        assertThat(queue.size()).isEqualTo(2);
        assertThat(next(0).item()).isEqualTo("kept-2");
        assertThat(next(50).item()).isEqualTo("kept-1");
    }

    @Test
    void aClientWithoutMessagesIsForgottenWhileOthersWait() {
        queue.add("stays", "one", numbers++, "0");
        for (int i = 0; i < 1_000; i++) {
            queue.add("passer-by-" + i, "one", numbers++, "x");
        }
        queue.add("gone", "one", numbers++, "gone");
        Entry<String> underWay = next(0);
        take(1_000);
        assertThat(queue.clients()).isEqualTo(2);

        queue.removeIf("gone"::equals);

        assertThat(queue.clients()).isEqualTo(1);
        queue.end(underWay);
        assertThat(queue.clients()).isZero();
    }

    @Test
    void whateverHappensEachLaneKeepsItsOrderAndNothingIsLost() {
        for (int seed = 0; seed < 50; seed++) {
            keepsOrder(new Random(seed));
        }
    }

    private static void keepsOrder(Random random) {
        FairQueue<int[]> queue = new FairQueue<>();
        Map<Integer, Integer> added = new HashMap<>();
        Map<Integer, Integer> ended = new HashMap<>();
        List<Entry<int[]>> underWay = new ArrayList<>();
        long now = 0;
        int left = 500;
        while (left > 0 || queue.size() > 0 || !underWay.isEmpty()) {
            now += random.nextInt(5);
            int lane = random.nextInt(12);
            if (left > 0 && random.nextBoolean()) {
                left--;
                queue.add(
                        "client" + lane % 3, "r" + lane, 500 - left, new int[] {lane, added.merge(lane, 1, Integer::sum)
                        });
            }
            Entry<int[]> next = queue.next(now);
            if (next != null) {
                underWay.add(next);
            }
            if (!underWay.isEmpty() && random.nextBoolean()) {
                Entry<int[]> answered = underWay.remove(random.nextInt(underWay.size()));
                if (random.nextInt(3) == 0) {
                    queue.putBack(answered, now + random.nextInt(20));
                } else {
                    queue.end(answered);
                    int[] item = answered.item();
                    assertThat(item[1]).isEqualTo(ended.merge(item[0], 1, Integer::sum));
                }
            }
        }
        assertThat(ended).isEqualTo(added);
        assertThat(queue.clients()).isZero();
    }

    private List<String> take(int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Entry<String> next = next(0);
            taken.add(next.item());
            queue.end(next);
        }
        return taken;
    }

    private Entry<String> next(long nowNanos) {
        return Objects.requireNonNull(queue.next(nowNanos), "nothing can be sent");
    }
}
