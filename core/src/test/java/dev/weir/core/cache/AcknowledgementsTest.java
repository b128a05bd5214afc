package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
    private final Acknowledgements acknowledgements = new Acknowledgements();

    @Test
    void allCallersOfAMessageWaitForTheSameNodes() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.handled("prices", 1);

        CompletableFuture<Boolean> first = acknowledgements.all("prices", 1, 2);
        CompletableFuture<Boolean> second = acknowledgements.all("prices", 1, 2);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        acknowledgements.handled("prices", 1);
        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
    }

    @Test
    void answersThatOvertakeTheReplyToTheSenderCount() {
        acknowledgements.expect("prices", 1, 0);
        acknowledgements.handled("prices", 1);
        acknowledgements.handled("prices", 1);

        assertThat(acknowledgements.all("prices", 1, 2)).isCompletedWithValue(true);
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
