package dev.weir.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTest {
    private static final byte[] EMPTY = new byte[0];
    private static final char HIGH = 0xd83d;
    private static final char LOW = 0xde00;

    @Test
    void aTopicIsATextOfOneToAThousandCharacters() {
        assertThatThrownBy(() -> Event.unkeyed("", EMPTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic has 0 characters; allowed are 1 to 1,000");
        assertThatThrownBy(() -> Event.of("t".repeat(1_001), EMPTY, EMPTY)).hasMessageContaining("1001 characters");
        assertThatThrownBy(() -> Event.of("a" + (char) 0 + "b", "k", EMPTY)).hasMessageContaining("NUL at index 1");
        assertThatThrownBy(() -> Event.of("a" + HIGH, "k", EMPTY)).hasMessageContaining("half of a surrogate pair");
        assertThat(Event.of("t".repeat(1_000), "k", EMPTY).topic()).hasSize(1_000);
        assertThat(Event.unkeyed("bill " + HIGH + LOW, EMPTY).topic()).hasSize(7);
    }

    @Test
    void aKeyThatUtf8CannotCarryIsRefusedSinceTwoWouldBecomeOne() {
        for (String key : new String[] {"" + HIGH, "x" + LOW, "" + LOW + HIGH, "" + HIGH + LOW + HIGH}) {
            assertThatThrownBy(() -> Event.of("t", key, EMPTY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key holds half of a surrogate pair");
        }
    }

    @Test
    void aKeyMayBeEmptyLongAndOfAnyCharacters() {
        assertThat(Event.of("t", "", EMPTY).key()).isEmpty();
        assertThat(Event.of("t", "k".repeat(100_000), EMPTY).key()).hasSize(100_000);
        assertThat(Event.of("t", "a" + (char) 0 + HIGH + LOW + "?", EMPTY).key())
                .hasSize(7);
    }

    @Test
    @SuppressWarnings("NullAway") // What a caller without its checks does.
    void aHeaderHasANameAndAContentAndThereAreNotTooMany() {
        Event event = Event.unkeyed("t", EMPTY);
        assertThatThrownBy(() -> event.withHeader(null, EMPTY)).hasMessageContaining("A header needs a name");
        assertThatThrownBy(() -> event.withHeader("h", null)).hasMessageContaining("A header needs a content");
        assertThatThrownBy(() -> event.withHeader("", EMPTY)).hasMessageContaining("header has 0 characters");
        assertThatThrownBy(() -> event.withHeader("h".repeat(70_000), EMPTY)).hasMessageContaining("70000 characters");
        assertThatThrownBy(() -> event.withHeader("h" + LOW, EMPTY)).hasMessageContaining("surrogate");
        Event full = event;
        for (int i = 0; i < 1_000; i++) {
            full = full.withHeader("h" + i, EMPTY);
        }
        Event all = full;
        assertThatThrownBy(() -> all.withHeader("one more", EMPTY)).hasMessageContaining("1000 headers");
        assertThat(all.withHeader("h7", new byte[1]).headers()).hasSize(1_000);
    }

    @Test
    void whatWasWrittenOnceIsReadWhateverTheRulesAreNow() throws Exception {
        Event old = Event.restored("", null, EMPTY, Map.of("", EMPTY), UUID.randomUUID());

        Event read = EventCodec.decode(ByteBuffer.wrap(EventCodec.encode(old)));

        assertThat(read.topic()).isEmpty();
        assertThat(read.id()).isEqualTo(old.id());
        assertThat(read.headers()).containsOnlyKeys("");
    }

    @ParameterizedTest
    @CsvSource({"order-events, true", "a.b_C-9, true", "., false", ".., false", "a b, false", "a/b, false"})
    void namesOfKafkasTopicsAreKnown(String name, boolean allowed) {
        assertThat(EventTexts.noTopic(name) == null).isEqualTo(allowed);
        assertThat(EventTexts.noTopic("t".repeat(250))).contains("1 to 249");
    }
}
