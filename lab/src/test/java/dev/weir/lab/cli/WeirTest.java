package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeirTest {

    @ParameterizedTest
    @ValueSource(strings = {"check", "load", "compare", "size"})
    void keepsTheLinesOfItsHelpWithinATerminal(String command) {
        assertThat(CommandRun.of(command, "--help").out().lines()).allMatch(line -> line.length() <= 80);
        // A line that was too long is wrapped in mid-word, so the example's end stands at the begin of a line.
        assertThat(examples(command)).allMatch(line -> line.isEmpty() || line.startsWith("  "));
    }

    private static Iterable<String> examples(String command) {
        return CommandRun.of(command, "--help")
                .out()
                .lines()
                .dropWhile(line -> !line.startsWith("Example"))
                .skip(1)
                .toList();
    }

    @Test
    void namesTheArgumentThatIsTooMany() {
        assertThat(CommandRun.of("load", "http://127.0.0.1:1/", "30s").err())
                .startsWith("weir: '30s' is more than weir load takes: only URL beside options");
        assertThat(CommandRun.of("size", "10", "--rate", "1", "--latency", "1s").err())
                .startsWith("weir: '10' is more than weir size takes: only options");
    }

    @Test
    void saysWhatAValueMustBeWithoutTheNamesOfJava() {
        assertThat(CommandRun.of("load", "http://127.0.0.1:1/", "--arrivals", "x")
                        .err())
                .startsWith("weir: Invalid value for option '--arrivals': 'x' is none of constant, poisson\n");
        assertThat(CommandRun.of("size", "--rate", "1", "--latency", "1s", "--replicas", "x")
                        .err())
                .startsWith("weir: Invalid value for option '--replicas': 'x' is not a whole number\n");
        assertThat(CommandRun.of("size", "--rate", "1", "--latency", "1s", "--headroom", "x")
                        .err())
                .startsWith("weir: Invalid value for option '--headroom': 'x' is not a number\n");
        assertThat(CommandRun.of("compare", "--set", "x").err()).doesNotContain("option option");
    }

    @Test
    void namesItsCommandsWhereOneIsUnknown() {
        assertThat(CommandRun.of("chekc", "http://127.0.0.1:1/").err())
                .startsWith("weir: 'chekc', 'http://127.0.0.1:1/' are no commands of weir, which has check, load, ");
    }
}
