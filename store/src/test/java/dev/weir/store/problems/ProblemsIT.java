package dev.weir.store.problems;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemsIT {

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    @ParameterizedTest
    @CsvSource({
        "/nope, 404, about:blank",
        "/, 404, about:blank",
        "/error, 404, about:blank",
        "/api/products/abc, 400, validation-failed",
        "/api/products/99999999999999999999, 400, validation-failed",
        "/api/products/0, 404, product-not-found",
        "/api/products, 400, validation-failed",
        "/api/products?query=, 400, validation-failed",
        "/api/products?query=%21, 400, validation-failed",
        "/api/products?query=a&page=-1, 400, validation-failed",
        "/api/products?query=a&size=101, 400, validation-failed",
        "/api/products?query=a&page=101&size=100, 400, validation-failed",
        "/api/products?query=%FF%FE, 400, validation-failed",
        "/api/products?page=0&query=%FF, 400, validation-failed",
        "/api/products?query=%00, 400, validation-failed",
        "/api/customers/99999999999999999999/orders, 400, validation-failed",
        "/api/customers/1/orders?size=many, 400, validation-failed",
        "/api/orders/not-a-uuid, 400, validation-failed",
        "/api/totals/2026-02-30, 400, validation-failed",
        "/api/totals/0000-01-01, 400, validation-failed",
        "/api/totals/-999999999-01-01, 400, validation-failed",
        "/api/totals/%2B999999999-12-31, 400, validation-failed"
    })
    void aBadReadIsAProblem(String path, int status, String problem) {
        Answer answer = store.http().get(path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.problem()).isEqualTo(problem);
        assertThat(answer.json().path("status").asInt()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"priceCents\": 0} | validation-failed",
                "{\"priceCents\": 100000001} | validation-failed",
                "{\"priceCents\": null} | validation-failed",
                "{} | validation-failed",
                "{\"priceCents\": 1.5} | malformed-body",
                "{\"priceCents\": \"12\"} | malformed-body",
                "{\"priceCents\": | malformed-body",
                "[] | malformed-body",
                "'' | malformed-body"
            })
    void aBadBodyIsAProblem(String body, String problem) {
        Answer answer = store.http().put("/api/products/1/price", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo(problem);
        assertThat(answer.body()).doesNotContain("dev.weir").doesNotContain("Exception");
    }

    @Test
    void jsonOfTheWrongShapeIsNotCalledNoJson() {
        assertThat(store.http().put("/api/products/1/price", "[]").body()).contains("The body must be a JSON object.");
        assertThat(store.http()
                        .put("/api/products/1/price", "{\"priceCents\": 9223372036854775808}")
                        .body())
                .contains("A number is out of range at line 1");
    }

    @Test
    void everyWrongFieldIsNamed() {
        Answer answer = store.http()
                .post("/api/orders", "{\"customerId\": 0, \"items\": [{\"productId\": 1, \"quantity\": 1001}]}");

        assertThat(answer.json().path("errors").findValuesAsString("field"))
                .containsExactly("customerId", "items[0].quantity");
    }

    @Test
    void methodAndMediaTypesThatAreNotSupportedAreProblems() {
        var http = store.http();
        Answer method = http.send(http.request("/api/products/1").DELETE().build());
        Answer accept = http.get("/api/products/1", "Accept", "application/xml");
        Answer contentType = http.send(http.request("/api/products/1/price", "Content-Type", "text/plain")
                .PUT(BodyPublishers.ofString("12"))
                .build());

        assertThat(method.status()).isEqualTo(405);
        assertThat(method.problem()).isEqualTo("about:blank");
        assertThat(method.header("allow")).isEqualTo("GET");
        assertThat(accept.status()).isEqualTo(406);
        assertThat(accept.problem()).isEqualTo("about:blank");
        assertThat(contentType.status()).isEqualTo(415);
        assertThat(contentType.problem()).isEqualTo("about:blank");
    }

    @Test
    void aFormThatCannotBeReadIsNoFailureOfTheStore() {
        var http = store.http();
        String form = "multipart/form-data; boundary=";
        Answer read = http.get("/api/products/1", "Content-Type", form);
        Answer write = http.send(http.request("/api/products/1/price", "Content-Type", form)
                .PUT(BodyPublishers.ofString("12"))
                .build());

        assertThat(read.status()).isEqualTo(200);
        assertThat(write.status()).isEqualTo(415);
    }

    @Test
    void whatTomcatItselfRefusesIsAProblemToo() throws IOException {
        String answer = raw("GET /api/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json")
                .doesNotContain("<html");
    }

    @Test
    void anUnforeseenErrorTellsNothingOfTheInside() throws Exception {
        store.execute("alter table orders rename to orders_away");
        try {
            Answer answer =
                    store.http().post("/api/orders", "{\"customerId\":1,\"items\":[{\"productId\":1,\"quantity\":1}]}");

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.problem()).isEqualTo("internal-error");
            assertThat(answer.body())
                    .doesNotContain("orders_away")
                    .doesNotContain("relation")
                    .doesNotContain("select");
        } finally {
            store.execute("alter table orders_away rename to orders");
        }
    }

    private static String raw(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), store.http().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
