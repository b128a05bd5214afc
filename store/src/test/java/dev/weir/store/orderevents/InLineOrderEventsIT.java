package dev.weir.store.orderevents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import dev.weir.store.Together;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The stock form's events where no broker answers. */
class InLineOrderEventsIT {

    @RegisterExtension
    static final RunningStore store = new RunningStore("--spring.kafka.bootstrap-servers=127.0.0.1:1");

    @Test
    void anOrderIsPlacedAllTheSameAndItsLostEventIsCounted() throws Exception {
        double lostBefore = lost();

        List<Answer> answers = Together.run(
                3,
                number -> store.http()
                        .post(
                                "/api/orders",
                                "{\"customerId\": 1, \"items\": [{\"productId\": %d, \"quantity\": 1}]}"
                                        .formatted(10 + number)));

        assertThat(answers).extracting(Answer::status).containsOnly(201);
        assertThat(answers)
                .allSatisfy(placed -> assertThat(
                                store.http().get(placed.header("location")).json())
                        .isEqualTo(placed.json()));
        assertThat(lost() - lostBefore).isEqualTo(3);
    }

    private static double lost() {
        return store.bean(MeterRegistry.class)
                .counter("store.order.events.lost")
                .count();
    }
}
