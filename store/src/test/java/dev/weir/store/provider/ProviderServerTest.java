package dev.weir.store.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProviderServerTest {

    private final ProviderServer server;
    private final Http http;

    ProviderServerTest() throws IOException {
        server = ProviderServer.start(0);
        http = new Http(server.port());
    }

    @BeforeEach
    void promptAnswers() {
        server.configure("{\"payments\": {\"latencyMillis\": 0}, \"messages\": {\"latencyMillis\": 0}}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void settingsChangeAtRunTimeAndAreShown() {
        var changed = http.put("/admin", "{\"payments\": {\"latencyMillis\": 7, \"limitPerSecond\": 3}}");

        assertThat(changed.status()).isEqualTo(200);
        assertThat(http.get("/admin")
                        .json()
                        .path("payments")
                        .path("latencyMillis")
                        .asInt())
                .isEqualTo(7);
        assertThat(http.get("/admin")
                        .json()
                        .path("messages")
                        .path("latencyMillis")
                        .asInt())
                .isZero();
    }

    @Test
    void aWrongSettingChangesNothingAndSaysWhy() {
        var wrong = http.put("/admin", "{\"payments\": {\"latencyMillis\": 7}, \"messages\": {\"failureRate\": 7}}");

        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.json().path("error").asString()).isEqualTo("failureRate is 7.0: give a number from 0 to 1.");
        assertThat(http.put("/admin", "{\"paymants\": {}}").status()).isEqualTo(400);
        assertThat(http.put("/admin", "{").status()).isEqualTo(400);
        assertThat(http.put("/admin", "{\"payments\": 5}").status()).isEqualTo(400);
        assertThat(http.put("/admin", "{\"payments\": null}").status()).isEqualTo(400);
        assertThat(http.get("/admin")
                        .json()
                        .path("payments")
                        .path("latencyMillis")
                        .asInt())
                .isZero();
    }

    @Test
    void aChargeNeedsAKeyAndAnAmount() {
        assertThat(http.post("/charges", "{\"amountCents\": 5}").status()).isEqualTo(400);
        assertThat(http.post("/charges", "{\"amountCents\": 0}", "Idempotency-Key", "a")
                        .status())
                .isEqualTo(400);
        assertThat(http.post("/charges", "{\"amountCents\": 5}", "Idempotency-Key", "a")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void callsOverTheLimitAreToldWhenToComeAgain() {
        server.configure("{\"messages\": {\"limitPerSecond\": 1}}");
        var answer = http.post("/messages", "{}");
        for (int i = 0; i < 20 && answer.status() == 202; i++) {
            answer = http.post("/messages", "{}");
        }

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("retry-after")).isEqualTo("1");
    }

    @Test
    void unknownPathsAndMethodsAreAnswered() {
        assertThat(http.get("/nope").status()).isEqualTo(404);
        assertThat(http.get("/charges").status()).isEqualTo(405);
    }
}
