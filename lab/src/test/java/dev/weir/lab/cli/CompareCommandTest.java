package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
    private static final String COMMAND = "--command=java -jar app.jar --server.port={port}";
    private static final String URL = "--url=http://127.0.0.1:{port}/x";

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void nothingToCompareIsOneSentence() {
        assertRefused("nothing to compare: give two service files, two URLs, or --command and --url with what differs");
    }

    @Test
    void oneSideIsNotEnough() {
        assertRefused("one side is given, a.yaml: give two service files or two URLs", "a.yaml");
    }

    @Test
    void threeSidesAreTooMany() {
        assertRefused("3 sides are given: give two service files or two URLs", "a.yaml", "b.yaml", "c.yaml");
    }

    @Test
    void aUrlAndAFileDoNotGoTogether() {
        assertRefused("a URL and a file are given: ", "http://127.0.0.1:1/", "b.yaml");
    }

    @Test
    void aCommandDoesNotGoWithTwoSides() {
        assertRefused("two sides are given: --command, --url", "a.yaml", "b.yaml", COMMAND);
    }

    @Test
    void aCommandNeedsAUrl() {
        assertRefused("nothing to compare: ", COMMAND);
    }

    @Test
    void anOpenQuoteInTheCommandIsNamed() {
        assertRefused("a ' is not closed in: java 'x", "--command=java 'x", URL);
    }

    @Test
    void aVariableWithoutValueIsNamed() {
        assertRefused("--env-a", COMMAND, URL, "--env-a", "NAME");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        String missing = folder.resolve("none.yaml").toString();

        assertRefused(missing + " does not exist: give the path of a readable file", missing, missing);
    }

    @Test
    void aShortTimeIsNotEnoughData() {
        assertRefused("time is 1.0 s; it must be 5.0 s or more", COMMAND, URL, "--time", "1s");
    }

    @Test
    void noRoundIsRefused() {
        assertRefused("rounds is 0; it must be 1 to 50", COMMAND, URL, "--rounds", "0");
    }

    @Test
    void aShareOfOneIsRefused() {
        assertRefused("share is 1.0; it must be above 0 and below 1", COMMAND, URL, "--share", "1");
    }

    @Test
    void aFigureThatDoesNotExistIsRefused() {
        assertRefused("'memory' is none of capacity, latency, cpu", COMMAND, URL, "--figures", "memory");
    }

    @Test
    void aMalformedUrlIsRefusedBeforeAnythingStarts() {
        assertRefused("must begin with http://, https://", COMMAND, "--url=127.0.0.1:{port}");
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedBeforeAnythingStarts() {
        assertRefused(
                "--report",
                COMMAND,
                URL,
                "--report",
                folder.resolve("none/report.html").toString());
    }

    @Test
    void aServiceThatEndsAtItsStartIsQuoted() throws IOException {
        Path file = Files.writeString(
                folder.resolve("dies.yaml"),
                "command: sh -c 'echo the planted reason; exit 3'\nurl: http://127.0.0.1:{port}/\n");

        int exitCode = execute(file.toString(), file.toString());

        assertThat(exitCode).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(err.toString())
                .contains("weir: dies ended by itself with exit code 3 before it was ready")
                .contains("the planted reason");
    }

    private void assertRefused(String message, String... arguments) {
        assertThat(execute(arguments)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message);
    }

    private int execute(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "compare";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Weir.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(err, true))
                .execute(all);
    }
}
