package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.engine.SilentPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void wantsAUrl() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no URL");
    }

    @Test
    void refusesWhatItCannotDoBeforeAnyLoad() {
        assertRefused("precision is 90", "--precision", "90%");
        assertRefused("not a percentage", "--precision", "much");
        assertRefused("time budget is 3 s", "--time-budget", "3s");
        assertRefused("--slo", "--slo", "p99");
        assertRefused("at least the start rate", "--start", "200", "--max", "100");
        assertRefused("no such process", "--pid", "999999999");
        assertRefused("too many", "-c", "100k");
        assertRefused("each thread needs one", "-c", "2", "-t", "4");
    }

    @Test
    void refusesAReportThatCannotBeWritten() {
        Path nowhere = folder.resolve("missing/report.html");

        assertThat(run("http://127.0.0.1:1/", "--no-report", "--json", nowhere.toString()))
                .isIn(ExitCode.USAGE, ExitCode.UNREACHABLE);
        assertThat(err.toString()).isNotBlank();
    }

    @Test
    void saysInOneSentenceThatTheServiceRefuses() throws IOException {
        try (SilentPort closed = SilentPort.take()) {
            String url = "http://127.0.0.1:" + closed.number() + "/";

            assertThat(run(url, "--report", folder.resolve("report.html").toString()))
                    .isEqualTo(ExitCode.UNREACHABLE);
        }
        assertThat(err.toString().lines()).singleElement().asString().contains("refuses connections");
        assertThat(folder.resolve("report.html")).doesNotExist();
        assertThat(out.toString()).isEmpty();
        assertThat(Files.exists(Path.of("weir-report.html"))).isFalse();
    }

    private void assertRefused(String why, String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "http://127.0.0.1:1/";
        all[1] = "--no-report";
        System.arraycopy(options, 0, all, 2, options.length);

        assertThat(run(all)).as(why).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(why);
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "check";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Weir.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(all);
    }
}
