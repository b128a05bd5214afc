package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {

    /** As long as an array can be, longer than one can be, and none. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE - 8, Integer.MAX_VALUE, 1_000_000, -1, Integer.MIN_VALUE})
    void aLengthThatIsNotThereIsUnreadableAndTakesNoMemory(int length) {
        byte[] message = {
            1, 'E', (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length, 'a'
        };

        assertThatThrownBy(() -> Message.decode(message)).isInstanceOf(Message.UnreadableException.class);
    }

    @Test
    void everyPartOfAMessageIsUnreadable() throws Message.UnreadableException {
        Message whole = new Message.Evicted("node", "prices", 7, true, List.of("k", "other"));
        byte[] bytes = Message.encode(whole);

        assertThat(Message.decode(bytes)).isEqualTo(whole);
        for (int i = 0; i < bytes.length; i++) {
            byte[] part = Arrays.copyOf(bytes, i);
            assertThatThrownBy(() -> Message.decode(part)).isInstanceOf(Message.UnreadableException.class);
        }
    }
}
