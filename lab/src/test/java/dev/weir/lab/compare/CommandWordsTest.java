package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CommandWordsTest {

    @Test
    void blanksSeparate() {
        assertThat(CommandWords.of("  java  -jar\tapp.jar ")).containsExactly("java", "-jar", "app.jar");
    }

    @Test
    void nothingIsNoWord() {
        assertThat(CommandWords.of("")).isEmpty();
    }

    @Test
    void quotesKeepBlanksAndJoinWhatTouchesThem() {
        assertThat(CommandWords.of("a='b c' \"d e\"f '' \"\\\"\" '\\'"))
                .containsExactly("a=b c", "d ef", "", "\"", "\\");
    }

    @Test
    void aBackslashKeepsTheNextCharacter() {
        assertThat(CommandWords.of("a\\ b \\\"")).containsExactly("a b", "\"");
    }

    @Test
    void aQuoteThatIsNotClosedIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandWords.of("java 'x"))
                .withMessage("a ' is not closed in: java 'x");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandWords.of("java \"x"))
                .withMessage("a \" is not closed in: java \"x");
    }

    @Test
    void aBackslashAtTheEndIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandWords.of("java \\"))
                .withMessageStartingWith("nothing follows the backslash at the end of: java \\");
    }

    @Test
    void whatIsQuotedSplitsIntoTheSame() {
        String word = "it's a \"word\" with \\ and $x";

        assertThat(CommandWords.of(CommandWords.quoted(word))).containsExactly(word);
    }
}
