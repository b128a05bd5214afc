package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingTest {

    @Test
    void isReadAsItWasWritten() {
        var message = new Outgoing(UUID.randomUUID(), "shop", "+49", "hello", 7);

        assertThat(Outgoing.of(message.event("messages").value())).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "",
                "[]",
                "{}",
                "{\"client\": \"shop\", \"to\": \"a\", \"text\": \"b\", \"number\": 1}",
                "\"text\"",
                "not json"
            })
    void aRecordOfSomebodyElseIsTold(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> Outgoing.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void soIsARecordWithoutAValue() {
        assertThatIllegalArgumentException().isThrownBy(() -> Outgoing.of(null));
    }
}
