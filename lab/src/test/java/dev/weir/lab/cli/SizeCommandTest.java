package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SizeCommandTest {

    @Test
    void printsTheSentenceAndEachSizeWithItsArithmeticAndSetting() {
        CommandRun run = CommandRun.of("size", "--rate", "10000/s", "--latency", "50ms", "--cores", "8");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith(
                        "For 10,000 requests/s at 50 ms each instance needs 800 worker threads and 1,500 connections.")
                .contains("10,000/s x 50 ms = 500 busy at once")
                .contains("-> server.tomcat.threads.max=800")
                .doesNotContain("Warning");
    }

    @Test
    void printsLongTimesInSecondsAndSaysHowABareNumberWasRead() {
        CommandRun bare = CommandRun.of("size", "--rate", "10", "--latency", "20", "--cores", "8");

        assertThat(bare.out()).startsWith("For 10 requests/s at 20 s each instance");
        assertThat(bare.err())
                .isEqualToIgnoringNewLines("weir: --latency 20 was read as 20 seconds; write 20ms for milliseconds");
        assertThat(CommandRun.of("size", "--rate", "10", "--latency", "20s", "--cores", "8")
                        .err())
                .isEmpty();
    }

    @Test
    void printsWarnings() {
        CommandRun run = CommandRun.of("size", "-R", "10k", "--latency", "200ms", "--cores", "8");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("Warning: 3,200 threads are 400 a core");
    }

    @Test
    void writesJsonInThePlaceOfTheText() {
        CommandRun run = CommandRun.of(
                "size", "-R", "10k", "--latency", "50ms", "--cores", "8", "--db-hold", "3ms", "--json", "-");

        JsonNode json = new JsonMapper().readTree(run.out());

        assertThat(json.at("/schema").stringValue()).isEqualTo("weir.size/1");
        assertThat(json.at("/inputs/ratePerSecond").doubleValue()).isEqualTo(10_000);
        assertThat(json.at("/inputs/database/holdSeconds").doubleValue()).isEqualTo(0.003);
        assertThat(json.at("/sizes/0/id").stringValue()).isEqualTo("worker-threads");
        assertThat(json.at("/sizes/0/value").longValue()).isEqualTo(800);
        assertThat(json.at("/warnings").size()).isEqualTo(1);
    }

    static Stream<Arguments> wrongCommandLines() {
        return Stream.of(
                wrong("Missing required option: '--rate=RATE'", "size", "--latency", "1ms"),
                wrong("a rate of 0", "size", "-R", "0", "--latency", "1ms"),
                wrong("is no time", "size", "-R", "1", "--latency", "0"),
                wrong("0 is too few", "size", "-R", "1", "--latency", "1ms", "--cores", "0"),
                wrong("--cores 100001 is too many", "size", "-R", "1", "--latency", "1ms", "--cores", "100001"),
                wrong(
                        "the headroom is NaN; it must be 1 to 100",
                        "size",
                        "-R",
                        "1",
                        "--latency",
                        "1ms",
                        "--headroom",
                        "NaN"),
                wrong(
                        "the headroom is Infinity; it must be 1 to 100",
                        "size",
                        "-R",
                        "1",
                        "--latency",
                        "1ms",
                        "--headroom",
                        "1e309"),
                wrong(
                        "the number of replicas is -1; it must be 0 or more",
                        "size",
                        "-R",
                        "1",
                        "--latency",
                        "1ms",
                        "--db-hold",
                        "1ms",
                        "--replicas",
                        "-1"));
    }

    private static Arguments wrong(String message, String... commandLine) {
        return Arguments.of(message, commandLine);
    }

    @ParameterizedTest
    @MethodSource("wrongCommandLines")
    void refusesAWrongCommandLineInOneSentence(String message, String[] commandLine) {
        CommandRun run = CommandRun.of(commandLine);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("weir: ").contains(message).doesNotContain("Exception", "\tat ");
    }
}
