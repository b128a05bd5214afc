package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.Together;
import dev.weir.store.Until;
import dev.weir.store.orders.NewOrder.Line;
import dev.weir.store.problems.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProductLinesTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void twoOrdersAreAtAProductAtOnceAndTheOthersWait() throws Exception {
        var lines = new ProductLines(LONG);
        var inside = new AtomicInteger();
        var most = new AtomicInteger();

        List<Integer> all = Together.run(
                20,
                number -> lines.inTurn(order(7), () -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    return number;
                }));

        assertThat(all).hasSize(20);
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void anotherProductDoesNotWait() throws Exception {
        var lines = new ProductLines(LONG);
        var open = new CountDownLatch(1);
        List<String> results = Together.run(3, number -> {
            if (number < 2) {
                return lines.inTurn(order(7), () -> await(open));
            }
            String result = lines.inTurn(order(8, 9), () -> "other");
            open.countDown();
            return result;
        });

        assertThat(results).containsExactly("let go", "let go", "other");
    }

    @Test
    void ordersOverManyProductsInAnyOrderComeToAnEnd() throws Exception {
        var lines = new ProductLines(LONG);

        List<Integer> all = Together.run(
                50,
                number -> lines.inTurn(order(number % 5, 4_096 + (number + 1) % 5, (number + 2) % 5), () -> number));

        assertThat(all).hasSize(50);
        assertThat(lines.longest()).isZero();
    }

    @Test
    void whoseTurnDoesNotComeIsToldSoAndTakesNothing() throws Exception {
        var lines = new ProductLines(Duration.ofMillis(50));
        var open = new CountDownLatch(1);
        var inside = new CountDownLatch(2);
        Together.run(3, number -> {
            if (number < 2) {
                return lines.inTurn(order(7), () -> {
                    inside.countDown();
                    return await(open);
                });
            }
            await(inside);
            assertThatThrownBy(() -> lines.inTurn(order(6, 7), () -> "never"))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("Too many orders wait for this product");
            open.countDown();
            return "";
        });

        Until.isTrue(() -> lines.longest() == 0);
        assertThat(lines.inTurn(order(6, 7), () -> "now")).isEqualTo("now");
    }

    @Test
    void whoIsInterruptedInLineIsNotToldThatTooManyWait() throws Exception {
        var lines = new ProductLines(LONG);
        var open = new CountDownLatch(1);
        var inside = new CountDownLatch(2);
        Together.run(3, number -> {
            if (number < 2) {
                return lines.inTurn(order(7), () -> {
                    inside.countDown();
                    return await(open);
                });
            }
            await(inside);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lines.inTurn(order(7), () -> "never"))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("told to stop");
            assertThat(Thread.interrupted()).isTrue();
            open.countDown();
            return "";
        });
    }

    private static String await(CountDownLatch latch) {
        try {
            latch.await();
            return "let go";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static NewOrder order(long... products) {
        return new NewOrder(
                1,
                LongStream.of(products)
                        .distinct()
                        .mapToObj(id -> new Line(id, 1))
                        .toList());
    }
}
