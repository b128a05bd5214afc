package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
    private final Acknowledgements acknowledgements = new Acknowledgements();

    @Test
    void allCallersOfAMessageWaitForTheSameNodes() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.await("prices", 1, Set.of("a", "b"));
        acknowledgements.handled("prices", 1, "a");

        CompletableFuture<Boolean> first = acknowledgements.all("prices", 1);
        CompletableFuture<Boolean> second = acknowledgements.all("prices", 1);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        acknowledgements.handled("prices", 1, "b");
        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
    }

    @Test
    void answersThatComeBeforeItIsKnownWhoIsAwaitedCount() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.handled("prices", 1, "a");
        acknowledgements.handled("prices", 1, "b");
        assertThat(acknowledgements.all("prices", 1)).isNotDone();

        acknowledgements.await("prices", 1, Set.of("a", "b"));
        assertThat(acknowledgements.all("prices", 1)).isCompletedWithValue(true);
    }

    @Test
    void aNodeThatAnswersTwiceStandsForNoOther() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.await("prices", 1, Set.of("a", "b"));
        acknowledgements.handled("prices", 1, "a");
        acknowledgements.handled("prices", 1, "a");

        assertThat(acknowledgements.all("prices", 1)).isNotDone();
    }

    @Test
    void aNodeThatBelievesNoLongerHoldsNothingUp() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.await("prices", 1, Set.of("a", "b"));
        acknowledgements.handled("prices", 1, "a");

        acknowledgements.awaitNoOthers(Set.of("a", "b"), "a");
        assertThat(acknowledgements.all("prices", 1)).isNotDone();
        acknowledgements.awaitNoOthers(Set.of("a"), "a");
        assertThat(acknowledgements.all("prices", 1)).isCompletedWithValue(true);
    }

    @Test
    void whoIsAwaitedIsToldLaterWhereItCouldNotBeAtFirst() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.awaitNoOthers(Set.of("a"), "a");
        assertThat(acknowledgements.all("prices", 1))
                .as("not heard of by its publisher")
                .isNotDone();

        acknowledgements.handled("prices", 1, "a");
        acknowledgements.awaitNoOthers(Set.of("a", "b"), "a");
        assertThat(acknowledgements.all("prices", 1)).isNotDone();

        acknowledgements.handled("prices", 1, "b");
        assertThat(acknowledgements.all("prices", 1)).isCompletedWithValue(true);
    }

    @Test
    void whatNobodyWaitsForIsForgottenInTime() {
        acknowledgements.expect("prices", 1, 10);
        acknowledgements.expect("prices", 2, 20);

        acknowledgements.forgetSentBefore(15);
        assertThat(acknowledgements.size()).isEqualTo(1);

        acknowledgements.forgetSentBefore(21);
        assertThat(acknowledgements.size()).isZero();
    }
}
