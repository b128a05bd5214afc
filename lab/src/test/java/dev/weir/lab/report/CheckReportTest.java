package dev.weir.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.check.CheckResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CheckReportTest {

    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"plots\">(.*?)</script>", Pattern.DOTALL);

    private static final CheckResult WORKERS = SampleChecks.workerThreads();

    static List<CheckResult> all() {
        return List.of(
                WORKERS,
                SampleChecks.nothingSeen(),
                SampleChecks.oneStep(),
                SampleChecks.allFailed(),
                SampleChecks.thousandsOfSeconds());
    }

    @Test
    void saysTheSentenceFirst() {
        String page = CheckReport.render(WORKERS);

        assertThat(firstOf("<h1>(.*?)</h1>", page)).isEqualTo(WORKERS.verdict().sentence());
        assertThat(page.indexOf("<h1>")).isLessThan(page.indexOf("<h2>"));
    }

    @Test
    void namesTheChangeTheCapacityAndEveryStep() {
        String page = CheckReport.render(WORKERS);

        assertThat(page)
                .contains("<code>server.tomcat.threads.max</code>", "<code>200</code>", "<code>400</code>")
                .contains("capacity of about 8,000/s", "3,900 to 4,050/s", "p99 &lt; 200ms, errors &lt; 0.1%")
                .contains("http-nio-8080 200 of 200", "thread dumps, 20 of 20");
        assertThat(rows(page, "Rates and outcome of each step"))
                .hasSize(WORKERS.steps().size());
    }

    @ParameterizedTest
    @MethodSource("all")
    void isOneFileWithoutAnythingToFetch(CheckResult result) {
        String page = CheckReport.render(result);

        assertThat(withoutScripts(page))
                .doesNotContainPattern("(src|href)=\"(?!#)")
                .doesNotContain("@import", "url(");
        assertThat(page).contains("default-src 'none'", "The MIT License (MIT)");
        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(300_000);
    }

    @ParameterizedTest
    @MethodSource("all")
    void hostileTextStaysText(CheckResult result) {
        String page = CheckReport.render(result);

        assertThat(page).doesNotContain("<img", "<!--", "\u0000");
        assertThat(page.split("</script>", -1)).hasSize(4);
        assertThat(page.split("<script", -1)).hasSize(4);
    }

    @Test
    void bracesInTextAreNotTakenForPlaces() {
        assertThat(CheckReport.render(SampleChecks.nothingSeen())).contains("{{sentence}}");
    }

    @ParameterizedTest
    @MethodSource("all")
    void writesNeitherNullNorNanNorInfinity(CheckResult result) {
        String page = withoutScripts(CheckReport.render(result));

        assertThat(page).doesNotContainPattern("\\b(null|NaN|Infinity)\\b(?! server)");
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyPlotHasItsPlaceAndAscendingPositions(CheckResult result) {
        String page = CheckReport.render(result);

        for (JsonNode plot : plots(page)) {
            assertThat(page).contains("<figure id=\"plot-" + plot.get("id").asString() + "\"");
            for (JsonNode group : plot.get("groups")) {
                List<Double> x =
                        group.get("x").valueStream().map(JsonNode::asDouble).toList();
                assertThat(x).doesNotHaveDuplicates().isSorted();
                group.get("series")
                        .forEach(series -> assertThat(series.get("y")).hasSize(x.size()));
            }
        }
    }

    @Test
    void whatWasNotSeenIsAGapAndNeverZero() {
        String page = CheckReport.render(SampleChecks.allFailed());
        JsonNode lines = plot(page, "cpu").get("groups").get(0).get("series");

        assertThat(lines.get(0).get("label").asString()).isEqualTo("service");
        assertThat(lines.get(0).get("y")).allMatch(JsonNode::isNull);
        assertThat(lines.get(1).get("y")).allMatch(JsonNode::isNumber);
        assertThat(lines.get(2).get("label").asString()).isEqualTo("whole machine");
        assertThat(lines.get(2).get("y")).allMatch(JsonNode::isNull);
        assertThat(page).contains("Not measured in this run.");
    }

    @Test
    void markStepsThatWereNotSustained() {
        JsonNode group =
                plot(CheckReport.render(WORKERS), "throughput").get("groups").get(0);
        List<Double> open = group.get("open")
                .valueStream()
                .map(place -> group.get("x").get(place.asInt()).asDouble())
                .toList();

        assertThat(open).hasSize(5).allMatch(rate -> rate >= 4_050);
    }

    @Test
    void shadesTheCapacityAndLeavesItOpenWhereNoRateWasTooHigh() {
        JsonNode closed =
                plot(CheckReport.render(WORKERS), "latency").get("bands").get(0);
        assertThat(closed.get("from").asDouble()).isEqualTo(3_900);
        assertThat(closed.get("to").asDouble()).isEqualTo(4_050);

        String page = CheckReport.render(SampleChecks.oneStep());
        assertThat(plot(page, "latency").get("bands").get(0).get("to").isNull()).isTrue();
        assertThat(page).contains("at least 1,000/s");
    }

    @Test
    void drawsTwoHoursOfSecondsInBucketsThatKeepTheGapBetweenSteps() {
        JsonNode group = plot(CheckReport.render(SampleChecks.thousandsOfSeconds()), "time-rates")
                .get("groups")
                .get(0);
        JsonNode offered = group.get("series").get(1).get("y");

        assertThat(group.get("x")).hasSizeBetween(1_000, 2_000);
        assertThat(offered.get(0).asDouble()).isEqualTo(100);
        assertThat(offered.get(offered.size() - 2).asDouble()).isEqualTo(200);
        assertThat(offered.valueStream().filter(JsonNode::isNull)).hasSize(2);
    }

    @Test
    void everyPlotSaysInWordsWhatItShows() {
        String page = CheckReport.render(WORKERS);

        assertThat(firstOf("id=\"plot-throughput\".*?aria-label=\"(.*?)\"", page))
                .matches("Throughput\\. completed: [23]\\d\\d/s at 300/s to 3,9\\d\\d/s at 4,800/s.*");
        assertThat(rows(page, "Throughput")).hasSize(WORKERS.steps().size());
    }

    @Test
    void aRebuiltCommandIsOneShellWordAnArgument() {
        assertThat(CheckReport.quoted("a'b$(c)")).isEqualTo("'a'\\''b$(c)'");
        assertThat(CheckReport.render(WORKERS))
                .contains("weir check &#39;http://127.0.0.1:8080/mapi-mock/1/dummy&#39; --slo "
                        + "&#39;p99&lt;200ms,errors&lt;0.1%&#39;");
        assertThat(CheckReport.render(WORKERS, "weir check <mine>")).contains("weir check &lt;mine&gt;");
    }

    private static String withoutScripts(String page) {
        return page.replaceAll("(?s)<script.*?</script>", "");
    }

    private static List<String> rows(String page, String caption) {
        String table = firstOf("<caption>" + caption + ".*?<tbody>(.*?)</tbody>", page);
        return Pattern.compile("<tr>")
                .matcher(table)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static JsonNode plot(String page, String id) {
        return plots(page)
                .valueStream()
                .filter(plot -> plot.get("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode plots(String page) {
        return JsonMapper.shared().readTree(firstOf(DATA.pattern(), page));
    }

    private static String firstOf(String pattern, String page) {
        var matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(page);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}
