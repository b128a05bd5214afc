package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LoadCommandTest {
    /** Nothing listens there: what is wrong must be told before anything connects. */
    private static final String URL = "http://127.0.0.1:1/";

    static Stream<Arguments> wrongCommandLines() {
        return Stream.of(
                wrong("no URL: give one", "load"),
                wrong("is not a URL with a scheme: write http://localhost:8080", "load", "localhost:8080"),
                wrong("Weir speaks http and https only", "load", "ftp://localhost/"),
                wrong("Unknown option: '--foo'", "load", URL, "--foo"),
                wrong("Possible solutions: --latency", "load", URL, "--latnecy"),
                wrong("0 is too few", "load", URL, "-c", "0"),
                wrong("-c 70000 is too many", "load", URL, "-c", "70000"),
                wrong("-t 5 is more than the 4 connections", "load", URL, "-t", "5", "-c", "4"),
                wrong("a rate of 0 sends nothing", "load", URL, "-R", "0"),
                wrong("'NaN' is not a rate", "load", URL, "-R", "NaN"),
                wrong("'-5' is not a rate", "load", URL, "-R", "-5"),
                wrong("'1e309' is not a rate", "load", URL, "-q", "1e309"),
                wrong("'0' is no time", "load", URL, "-d", "0"),
                wrong("'-1s' is not a time", "load", URL, "-z", "-1s"),
                wrong("is not a number", "load", URL, "-n", "99999999999999999999"),
                wrong("--closed does not go with -R", "load", URL, "-R", "5", "--closed"),
                wrong("need a rate", "load", URL, "--poisson"),
                wrong("contradict each other", "load", URL, "-R", "5", "--poisson", "--arrivals", "constant"),
                wrong("is none of constant, poisson", "load", URL, "-R", "5", "--arrivals", "even"),
                wrong("is not a header", "load", URL, "-H", "no colon"),
                wrong("holds a line break", "load", URL, "-H", "A: b\r\nC: d"),
                wrong("is not an HTTP method", "load", URL, "-m", "G T"),
                wrong("/dev/zero is larger than 16 MB", "load", URL, "-b", "@/dev/zero"),
                wrong("/dev/zero is larger than 1 MB", "load", URL, "-f", "/dev/zero"),
                wrong(
                        "--cacert /dev/zero is larger than 4 MB",
                        "load",
                        "https://127.0.0.1:1/",
                        "--cacert",
                        "/dev/zero"),
                wrong("the name of a file is empty", "load", URL, "-b", "@"),
                wrong("--json '' is no file", "load", URL, "--json", ""),
                wrong("--hlog '-' is no file", "load", URL, "--hlog", "-"),
                wrong(
                        "--json and --hlog name the same file",
                        "load",
                        URL,
                        "--json",
                        "target/x",
                        "--hlog",
                        "./target/x"),
                wrong("--cacert is for https", "load", URL, "--cacert", "none.pem"),
                wrong("write http://127.0.0.1:80", "load", "http:127.0.0.1:80"),
                wrong("none.json does not exist", "load", URL, "-b", "@none.json"),
                wrong("none.yaml does not exist", "load", URL, "-f", "none.yaml"),
                wrong("-m and -b do not go with -f", "load", URL, "-f", "none.yaml", "-m", "GET"),
                wrong("--slo: objective 'p99' holds 'p99'", "load", URL, "--slo", "p99"),
                wrong("--max-header-bytes is 10", "load", URL, "--max-header-bytes", "10"),
                wrong("contradict each other", "load", "https://127.0.0.1:1/", "--insecure", "--cacert", "x"),
                wrong("--cacert none.pem cannot be read", "load", "https://127.0.0.1:1/", "--cacert", "none.pem"));
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
        assertThat(run.out()).isEmpty();
    }

    @Test
    void refusesAnOutputThatCannotBeWrittenBeforeItConnects(@TempDir Path folder) {
        CommandRun run =
                CommandRun.of("load", URL, "--json", folder.resolve("no/x.json").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("cannot be written: the folder");
    }

    @Test
    void saysWhatToDoAboutAServiceThatRefuses() {
        CommandRun run = CommandRun.of("load", URL);

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err())
                .isEqualToNormalizingNewlines(
                        "weir: 127.0.0.1:1 refuses connections: check that the service is running and listens on that port\n");
    }

    @Test
    void saysWhatToDoAboutAHostThatDoesNotResolve() {
        CommandRun run = CommandRun.of("load", "http://no-such-host.invalid/");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err()).contains("host 'no-such-host.invalid' does not resolve: check its spelling");
    }

    @Test
    void explainsItself() {
        CommandRun run = CommandRun.of("load", "--help");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("-R, -q, --rate=RATE", "p99<200ms,errors<0.1%'");
    }
}
