package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.lab.compare.FigureResult.Compared;
import dev.weir.lab.compare.FigureResult.NotMeasured;
import dev.weir.lab.compare.FigureResult.Verdict;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ComparisonTest {
    private static final RunningService A = new RunningService("http://127.0.0.1:1/a");
    private static final RunningService B = new RunningService("http://127.0.0.1:1/b");

    private final List<String> opened = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    @Test
    void theFloorComesFirstAndTheSidesTakeTurns() throws Exception {
        compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 1_000);

        assertThat(opened.stream().map(url -> url.substring(url.length() - 1)))
                .containsExactly("a", "a", "a", "b", "b", "a", "a", "b", "b", "a");
        assertThat(told).anyMatch(line -> line.startsWith("A/A floor so far: capacity "));
    }

    @Test
    void aFasterSideIsFoundInCapacityAndLatency() throws Exception {
        CompareResult result = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 1_300);

        assertThat(verdict(result, Figure.CAPACITY)).isEqualTo(Verdict.FASTER);
        assertThat(verdict(result, Figure.LATENCY_P50)).isEqualTo(Verdict.FASTER);
        assertThat(verdict(result, Figure.LATENCY_P99)).isEqualTo(Verdict.FASTER);
        assertThat(result.anySlower()).isFalse();
    }

    @Test
    void thePageOpensWithWhatDiffersAndLeavesTheRestToItsTable() throws Exception {
        CompareResult differing = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 1_300);
        CompareResult same = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 1_000);

        assertThat(ComparePage.rows(differing).sentence())
                .startsWith("Capacity: B is faster by ")
                .contains(" Latency p99 at ")
                .doesNotContain("CPU per request");
        assertThat(ComparePage.rows(same).sentence())
                .startsWith("Capacity: no difference that this machine can show (")
                .doesNotContain("Latency");
        assertThat(ComparePage.rows(same).rows()).hasSize(4);
    }

    @Test
    void aSlowerSideIsFound() throws Exception {
        CompareResult result = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 800);

        assertThat(verdict(result, Figure.CAPACITY)).isEqualTo(Verdict.SLOWER);
        assertThat(result.anySlower()).isTrue();
    }

    @Test
    void twoOfTheSameShowNoDifference() throws Exception {
        CompareResult result = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 1_000);

        assertThat(result.figures())
                .filteredOn(Compared.class::isInstance)
                .hasSize(3)
                .allSatisfy(figure -> assertThat(((Compared) figure).verdict()).isEqualTo(Verdict.NO_DIFFERENCE));
        assertThat(CompareText.of(result)).contains("no difference that this machine can show");
    }

    @Test
    void theRateIsAShareOfTheFirstCapacityForBothSides() throws Exception {
        CompareResult result = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 2_000);

        assertThat(result.ratePerSecond()).isEqualTo(600);
    }

    @Test
    void aRateThatIsGivenIsKept() throws Exception {
        CompareResult result = compare(settings(EnumSet.of(Figure.LATENCY_P99), 123.0), 1_000, 1_000);

        assertThat(result.ratePerSecond()).isEqualTo(123);
        assertThat(result.figures()).singleElement().isInstanceOf(Compared.class);
    }

    @Test
    void cpuThatCannotBeSeenIsNotMeasured() throws Exception {
        CompareResult result = compare(settings(EnumSet.of(Figure.CPU_PER_REQUEST), null), 1_000, 1_000);

        assertThat(result.figures()).singleElement().isInstanceOf(NotMeasured.class);
        assertThat(CompareText.of(result))
                .contains(
                        "CPU per request at 600/s: not measured: the CPU time of the service's process cannot be seen");
    }

    @Test
    void servicesThatAreNotRestartedAreNoted() throws Exception {
        CompareResult result = compare(settings(EnumSet.of(Figure.CAPACITY), null), 1_000, 1_000);

        assertThat(result.notes()).anyMatch(note -> note.startsWith("The services were not restarted"));
    }

    @Test
    void anInterruptKeepsWhatIsKnown() throws Exception {
        CompareSettings settings = settings(EnumSet.of(Figure.CAPACITY), null);
        Generators interrupting = url -> {
            if (opened.size() == 6) {
                Thread.currentThread().interrupt();
            }
            return service(url, 1_000, 2_000);
        };

        CompareResult result = comparison(settings, interrupting).run();

        assertThat(Thread.interrupted()).isFalse();
        assertThat(result.complete()).isFalse();
        assertThat(result.runs()).hasSize(6);
        assertThat(verdict(result, Figure.CAPACITY)).isEqualTo(Verdict.FASTER);
        assertThat(CompareText.of(result)).startsWith("Ended early, after 6 of 10 runs.");
    }

    @Test
    void aServiceThatAnswersNothingEndsTheComparison() {
        Generators silent = url -> new FakeService(0, 1, 1);

        assertThatThrownBy(() -> comparison(settings(EnumSet.of(Figure.CAPACITY), null), silent)
                        .run())
                .isInstanceOf(ServiceFailure.class)
                .hasMessageStartingWith("http://127.0.0.1:1/a answered no request during its warm-up");
    }

    @Test
    void theJsonHoldsEveryFigureAndRun() throws Exception {
        CompareResult result = compare(settings(EnumSet.allOf(Figure.class), null), 1_000, 1_300);

        JsonNode json = JsonMapper.shared().readTree(CompareJson.of(result));

        assertThat(json.get("schema").asString()).isEqualTo("weir.compare/1");
        assertThat(json.get("figures").values())
                .extracting(figure -> figure.get("verdict").asString())
                .containsExactly("faster", "faster", "faster", "not-measured");
        assertThat(json.get("figures").get(0).get("change").asDouble()).isBetween(0.28, 0.32);
        assertThat(json.get("runs")).hasSize(10);
        assertThat(json.get("settings").get("schedule").asString()).isEqualTo("A A A B B A A B B A");
    }

    private static Verdict verdict(CompareResult result, Figure wanted) {
        return result.figures().stream()
                .filter(figure -> figure.figure() == wanted)
                .map(Compared.class::cast)
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    private CompareResult compare(CompareSettings settings, double capacityOfA, double capacityOfB)
            throws ServiceFailure {
        return comparison(settings, url -> service(url, capacityOfA, capacityOfB))
                .run();
    }

    private Comparison comparison(CompareSettings settings, Generators generators) {
        Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        return new Comparison(A, B, settings, generators, told::add, Path.of("unused"), clock);
    }

    private FakeService service(String url, double capacityOfA, double capacityOfB) {
        opened.add(url);
        double capacity = url.equals(A.url()) ? capacityOfA : capacityOfB;
        return new FakeService(capacity, 10_000 / capacity, opened.size());
    }

    private static CompareSettings settings(Set<Figure> figures, @Nullable Double rate) {
        return new CompareSettings(figures, 2, Duration.ofSeconds(10), Duration.ofMillis(80), rate, 0.6, 1);
    }
}
