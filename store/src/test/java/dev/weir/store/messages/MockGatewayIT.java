package dev.weir.store.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import dev.weir.store.Together;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MockGatewayIT {

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    @ParameterizedTest
    @ValueSource(strings = {"dummy", "dummyReactor"})
    void theBlockingEndpointsAnswerAfterTheirDelay(String endpoint) {
        long startNanos = System.nanoTime();
        Answer answer = store.http().get("/mapi-mock/1/" + endpoint);
        long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"status\":\"ok\",\"delayMillis\":50}");
        assertThat(elapsedMillis).isGreaterThanOrEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "messagesReactor"})
    void theNonBlockingEndpointsForwardToTheProvider(String endpoint) {
        long before = store.provider().arrived();

        Answer sample = store.http().get("/mapi-mock/1/" + endpoint);
        Answer posted = store.http().post("/mapi-mock/1/" + endpoint, "{\"to\": \"+49\", \"text\": \"hello\"}");

        assertThat(sample.status()).isEqualTo(200);
        assertThat(sample.json().path("status").asString()).isEqualTo("accepted");
        assertThat(posted.json().path("id").asString()).startsWith("msg_");
        assertThat(store.provider().arrived() - before).isEqualTo(2);
    }

    @Test
    void moreMessagesThanTheServerHasThreadsWaitForTheProviderAtTheSameTime() throws Exception {
        store.provider().configure("{\"messages\": {\"latencyMillis\": 800}}");

        Together.run(3 * RunningStore.SERVER_THREADS, number -> store.http().get("/mapi-mock/1/messages"));

        assertThat(store.provider().mostMessagesAtOnce()).isGreaterThan(RunningStore.SERVER_THREADS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "messagesReactor"})
    void whatTheProviderDoesIsToldToTheCaller(String endpoint) {
        String path = "/mapi-mock/1/" + endpoint;
        store.provider().configure("{\"messages\": {\"failureRate\": 1}}");
        Answer failed = store.http().get(path);
        store.provider().configure("{\"messages\": {\"failureRate\": 0, \"latencyMillis\": 2500}}");
        Answer late = store.http().get(path);
        store.provider().configure("{\"messages\": {\"latencyMillis\": 0, \"limitPerSecond\": 1}}");
        Answer busy = store.http().get(path);
        for (int i = 0; i < 20 && busy.status() == 200; i++) {
            busy = store.http().get(path);
        }

        assertThat(failed.status()).isEqualTo(502);
        assertThat(failed.problem()).isEqualTo("provider-failed");
        assertThat(late.status()).isEqualTo(504);
        assertThat(late.problem()).isEqualTo("provider-timeout");
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.problem()).isEqualTo("provider-busy");
        assertThat(busy.header("retry-after")).isEqualTo("1");
    }

    @Test
    void aMessageWithoutATextIsRefused() {
        Answer answer = store.http().post("/mapi-mock/1/messages", "{\"to\": \"+49\", \"text\": \" \"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("errors").path(0).path("field").asString())
                .isEqualTo("text");
    }
}
