package dev.weir.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens pages in a real browser; skipped where there is none. */
class ReportInBrowserIT {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final Pattern ROOT = Pattern.compile("<html[^>]*>");

    /** One for all tests: a browser that finds its profile starts faster. */
    @TempDir
    private static Path folder;

    private Path browser = Path.of("");

    @BeforeEach
    void findBrowser() {
        Optional<Path> found = onPath();
        assumeTrue(found.isPresent(), "no Chromium on PATH (" + String.join(", ", NAMES) + "); page not drawn");
        browser = found.orElseThrow();
    }

    @Test
    void drawsEveryPlotOfACheck() throws Exception {
        String dom = domOf(CheckReport.render(SampleChecks.workerThreads()));

        assertDrawn(dom, 8);
    }

    @Test
    void drawsWhatThereIsWhenNothingCompletedAndHostileTextStaysText() throws Exception {
        String dom = domOf(CheckReport.render(SampleChecks.allFailed()));

        assertDrawn(dom, 4);
        assertThat(dom).doesNotContain("<img").doesNotContain("<title>broken");
    }

    @Test
    void drawsTheComparison() throws Exception {
        assertDrawn(domOf(ComparisonPage.render(SampleChecks.comparison())), 2);
    }

    @Test
    void anErrorInThePageIsMarked() throws Exception {
        String page =
                CheckReport.render(SampleChecks.oneStep()).replace("id=\"plot-latency\"", "id=\"plot-elsewhere\"");

        assertThat(rootOf(domOf(page))).contains("data-error=").doesNotContain("data-plots");
    }

    private static void assertDrawn(String dom, int canvases) {
        assertThat(rootOf(dom)).contains("data-plots=\"drawn\"").doesNotContain("data-error");
        assertThat(dom.split("<canvas", -1)).hasSize(canvases + 1);
    }

    private static String rootOf(String dom) {
        var matcher = ROOT.matcher(dom);
        assertThat(matcher.find()).as("an <html> element in: %s", dom).isTrue();
        return matcher.group();
    }

    /** The document after its scripts ran. */
    private String domOf(String page) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("page.html"), page);
        Path dom = folder.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=5000",
                        "--dump-dom",
                        file.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("the browser ends")
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return Files.readString(dom);
    }

    private static Optional<Path> onPath() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(Pattern.quote(File.pathSeparator)))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
