package dev.weir.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.check.CheckResult;
import org.junit.jupiter.api.Test;

class ComparisonPageTest {

    private static final CheckResult BEFORE = SampleChecks.workerThreads();
    private static final CheckResult AFTER = SampleChecks.afterTheChange();

    @Test
    void showsBothSidesAndTheirRatio() {
        String page = ComparisonPage.render(SampleChecks.comparison());

        assertThat(page)
                .contains(BEFORE.verdict().sentence(), AFTER.verdict().sentence())
                .contains("server.tomcat.threads.max from 200 to 400")
                .contains("3,900 to 4,050/s", "7,800 to 8,100/s", "2.00\u00a0×")
                .contains("p99 at 3,900/s", "CPU of the service a request at 3,900/s", "120\u00a0µs");
    }

    @Test
    void claimsADifferenceOnlyWhereTheIntervalsDoNotTouch() {
        assertThat(BeforeAfter.sentence(new Comparison(BEFORE, AFTER, "x")))
                .startsWith("The change raised the capacity to 2.00\u00a0×");
        assertThat(BeforeAfter.sentence(new Comparison(AFTER, BEFORE, "x")))
                .startsWith("The change lowered the capacity to 0.500\u00a0×");
        assertThat(BeforeAfter.sentence(new Comparison(BEFORE, BEFORE, "x")))
                .startsWith("The change made no difference");
        assertThat(BeforeAfter.sentence(new Comparison(SampleChecks.oneStep(), AFTER, "x")))
                .startsWith("The change made no difference");
        assertThat(BeforeAfter.sentence(new Comparison(SampleChecks.allFailed(), AFTER, "x")))
                .startsWith("The change raised");
    }

    @Test
    void findsNoCommonRateWhereOneSideSustainedNone() {
        String page = ComparisonPage.render(new Comparison(SampleChecks.nothingSeen(), AFTER, SampleChecks.HOSTILE));

        assertThat(page).contains("there is no common rate").doesNotContain("<img");
    }

    @Test
    void readsAFigureBetweenTwoStepsAndNeverBeyondThem() {
        assertThat(AtRate.value(BEFORE, 450, step -> step.offeredPerSecond() * 2))
                .isEqualTo(900);
        assertThat(AtRate.value(BEFORE, 300, step -> step.offeredPerSecond())).isEqualTo(300);
        assertThat(AtRate.value(BEFORE, 200, step -> step.offeredPerSecond())).isNull();
        assertThat(AtRate.value(BEFORE, 4_050, step -> step.offeredPerSecond())).isNull();
        assertThat(AtRate.value(BEFORE, 300, step -> null)).isNull();
    }

    @Test
    void showsTheTableOfAnAbRun() {
        assertThat(ComparisonPage.render(SampleChecks.abResult()))
                .contains("<h1>B is faster by 12 % (9 to 15 %)</h1>", "+9 to +15 %", "A B B A, 4 rounds")
                .contains("no difference that this machine can show")
                .doesNotContain("<img");
    }
}
