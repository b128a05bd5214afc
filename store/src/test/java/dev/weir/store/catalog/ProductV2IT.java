package dev.weir.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.store.RunningStore;
import dev.weir.store.catalog.wire.ProductMessage;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ProductV2IT {

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    @Test
    void bothFormsHaveTheSameContent() throws InvalidProtocolBufferException {
        ProductV2 seeded = ProductV2.of(SeedText.product(21));

        var json = store.http().get("/api/v2/products/21", "Accept", "application/json");
        var protobuf = store.http().getBytes("/api/v2/products/21", "Accept", "application/x-protobuf");

        assertThat(json.header("content-type")).isEqualTo("application/json");
        assertThat(protobuf.headers().firstValue("content-type")).hasValue("application/x-protobuf");
        ProductMessage message = ProductMessage.parseFrom(protobuf.body());
        assertThat(message).isEqualTo(seeded.message());
        JsonNode node = json.json();
        assertThat(node.size())
                .isEqualTo(ProductMessage.getDescriptor().getFields().size());
        ProductMessage.getDescriptor()
                .getFields()
                .forEach(field -> assertThat(node.path(field.getJsonName()).asString())
                        .as(field.getJsonName())
                        .isEqualTo(String.valueOf(message.getField(field))));
        assertThat(protobuf.body()).hasSizeLessThan(json.body().getBytes(StandardCharsets.UTF_8).length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "*/*", "application/*", "text/html, */*;q=0.1", "application/json, application/x-protobuf"})
    void jsonIsTheAnswerWhereProtobufIsNotPreferred(String accept) {
        String path = "/api/v2/products/22";
        var answer = accept.isEmpty() ? store.http().get(path) : store.http().get(path, "Accept", accept);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).isEqualTo("application/json");
    }

    @Test
    void theFormThatIsPreferredIsAnswered() {
        var answer = store.http()
                .getBytes("/api/v2/products/22", "Accept", "application/json;q=0.5, application/x-protobuf");

        assertThat(answer.headers().firstValue("content-type")).hasValue("application/x-protobuf");
    }

    @Test
    void aFormThatDoesNotExistIsRefused() {
        assertThat(store.http()
                        .get("/api/v2/products/22", "Accept", "image/png")
                        .status())
                .isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-protobuf"})
    void aProductThatIsNotThereIsAProblemInEitherForm(String accept) {
        var answer = store.http().get("/api/v2/products/999999999", "Accept", accept);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.problem()).isEqualTo("product-not-found");
    }
}
