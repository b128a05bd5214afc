package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.orders.NewOrder.Line;
import dev.weir.store.problems.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewOrderTest {

    @Test
    void theOrderOfTheItemsMakesNoDifference() {
        var one = new NewOrder(1, List.of(new Line(3, 1), new Line(2, 5)));
        var other = new NewOrder(1, List.of(new Line(2, 5), new Line(3, 1)));

        assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
        assertThat(one.lines()).extracting(Line::productId).containsExactly(2L, 3L);
    }

    @Test
    void whateverElseDiffersMakesAnotherFingerprint() {
        assertThat(List.of(
                                new NewOrder(1, List.of(new Line(2, 5))),
                                new NewOrder(12, List.of(new Line(2, 5))),
                                new NewOrder(1, List.of(new Line(25, 5))),
                                new NewOrder(1, List.of(new Line(2, 55))),
                                new NewOrder(1, List.of(new Line(2, 5), new Line(3, 1))))
                        .stream()
                        .map(NewOrder::fingerprint))
                .doesNotHaveDuplicates();
    }

    @Test
    void aProductStandsInAnOrderOnce() {
        assertThatThrownBy(() -> new NewOrder(1, List.of(new Line(2, 5), new Line(2, 1))))
                .isInstanceOf(ProblemException.class);
    }
}
