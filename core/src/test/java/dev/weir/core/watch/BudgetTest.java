package dev.weir.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BudgetTest {

    private final AtomicLong nanos = new AtomicLong(-3_000_000_000L);
    private final List<OffenceReport> reports = new ArrayList<>();
    private final RequestWatch watch = new RequestWatch(WatchConfig.defaults(), nanos::get, reports::add);
    private final Budget budget = watch.begin();

    @Test
    void whatNoKindAccountsForIsTheRest() {
        pass(5);
        call(Kind.POOL, 2);
        call(Kind.SQL, 30);
        pass(3);

        assertThat(millis(budget.totalNanos())).isEqualTo(40);
        assertThat(millis(budget.busyNanos())).isEqualTo(32);
        assertThat(millis(budget.restNanos())).isEqualTo(8);
        assertThat(millis(budget.sumNanos(Kind.SQL))).isEqualTo(30);
        assertThat(budget.calls(Kind.SQL)).isEqualTo(1);
        assertThat(budget.sumNanos(Kind.REDIS)).isZero();
    }

    @Test
    void parallelCallsCountOnceInTheUnionAndEachInTheSum() {
        long one = budget.begin(Kind.REMOTE);
        pass(10);
        long two = budget.begin(Kind.REMOTE);
        long other = budget.begin(Kind.SQL);
        pass(20);
        budget.end(Kind.REMOTE, one, "one");
        pass(5);
        budget.end(Kind.REMOTE, two, "two");
        pass(2);
        budget.end(Kind.SQL, other, "SELECT 1");

        assertThat(millis(budget.sumNanos(Kind.REMOTE))).isEqualTo(30 + 25);
        assertThat(millis(budget.unionNanos(Kind.REMOTE))).isEqualTo(35);
        assertThat(millis(budget.busyNanos())).isEqualTo(37);
        assertThat(millis(budget.restNanos())).isZero();
    }

    /** The plain model: for each millisecond, how many calls are open. */
    @Test
    void sumAndUnionAreThoseOfAPlainModel() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            Budget tried = watch.begin();
            List<Long> open = new ArrayList<>();
            long sum = 0;
            long union = 0;
            for (int step = 0; step < 50; step++) {
                if (open.isEmpty() || random.nextBoolean()) {
                    open.add(tried.begin(Kind.REDIS));
                } else {
                    tried.end(Kind.REDIS, open.remove(random.nextInt(open.size())), "GET");
                }
                long millis = random.nextInt(4);
                pass(millis);
                sum += millis * open.size();
                union += open.isEmpty() ? 0 : millis;
            }
            assertThat(millis(tried.sumNanos(Kind.REDIS))).isEqualTo(sum);
            assertThat(millis(tried.unionNanos(Kind.REDIS))).isEqualTo(union);
        }
    }

    @Test
    void aCallThatIsOpenAtTheEndCountsUpToItAndNoFurther() {
        long begun = budget.begin(Kind.SQL);
        pass(7);
        end();
        pass(100);
        budget.end(Kind.SQL, begun, "SELECT 1");
        budget.query("SELECT 2");

        assertThat(millis(budget.sumNanos(Kind.SQL))).isEqualTo(7);
        assertThat(millis(budget.totalNanos())).isEqualTo(7);
        assertThat(budget.queries()).isZero();
        assertThat(millis(watch.sumNanos(Kind.SQL))).isEqualTo(7);
    }

    @Test
    void settlingEndsWhatIsOpenOfAKind() {
        budget.begin(Kind.SERIALIZATION);
        pass(4);
        budget.settle(Kind.SERIALIZATION);
        pass(9);
        budget.settle(Kind.SERIALIZATION);

        assertThat(millis(budget.unionNanos(Kind.SERIALIZATION))).isEqualTo(4);
        assertThat(millis(budget.restNanos())).isEqualTo(9);
    }

    @Test
    void aSlowCallIsReportedAtTheEndWithTheWholeBudget() {
        slow(budget, "UPDATE daily SET sum = sum + 12 WHERE day = '2026-12-01'");
        call(Kind.REDIS, 3);
        end();

        assertThat(reports)
                .singleElement()
                .extracting(OffenceReport::line)
                .asString()
                .isEqualTo("weir.watch sql=134.0ms limit=100.0ms what=\"UPDATE daily SET sum = sum + ? WHERE day = ?\""
                        + " suppressed=0 request=\"GET /any\" status=200 total=137.0ms sql=134.0ms/1 redis=3.0ms/1"
                        + " rest=0.0ms");
        assertThat(watch.offences(Offence.SQL)).isEqualTo(1);
    }

    @Test
    void eachOfTheFourThresholdsIsOne() {
        call(Kind.REDIS, 11);
        call(Kind.SQL, 101);
        call(Kind.REMOTE, 201);
        call(Kind.POOL, 188);
        end();

        assertThat(reports)
                .extracting(OffenceReport::offence)
                .containsExactly(Offence.REDIS, Offence.SQL, Offence.REMOTE, Offence.REQUEST);
    }

    @Test
    void atAThresholdNothingIsReported() {
        call(Kind.REDIS, 10);
        call(Kind.SQL, 100);
        call(Kind.REMOTE, 200);
        pass(190);
        end();

        assertThat(reports).isEmpty();
    }

    @Test
    void theSameIsReportedOnceInAPeriodWithTheCountOfTheOthers() {
        for (int i = 0; i < 5; i++) {
            Budget each = watch.begin();
            slow(each, "SELECT " + i);
            watch.end(each, () -> "GET /any", 200);
        }
        pass(10_000);
        Budget last = watch.begin();
        slow(last, "SELECT 99");
        watch.end(last, () -> "GET /any", 200);

        assertThat(reports).extracting(OffenceReport::suppressed).containsExactly(0L, 4L);
        assertThat(watch.offences(Offence.SQL)).isEqualTo(6);
        assertThat(watch.heldBack()).isEqualTo(4);
    }

    @Test
    void oneStatementTooOftenIsReportedOnceARequest() {
        for (int i = 0; i < 100; i++) {
            budget.query("SELECT * FROM line WHERE id = ?");
        }
        budget.query("SELECT 1");
        end();

        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.offence()).isEqualTo(Offence.SAME_QUERY);
            assertThat(report.what()).isEqualTo("SELECT * FROM line WHERE id = ?");
            assertThat(report.budget()).contains("queries=101 (100 of SELECT * FROM line WHERE id = ?)");
        });
    }

    @Test
    void theTypeOfBeansMadeForARequestIsNamed() {
        for (int i = 0; i < 200; i++) {
            budget.bean(StringBuilder.class);
        }
        budget.bean(Object.class);
        end();

        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.offence()).isEqualTo(Offence.BEANS);
            assertThat(report.what()).isEqualTo("java.lang.StringBuilder");
            assertThat(report.budget()).contains("beans=201 (200 of java.lang.StringBuilder)");
        });
        assertThat(watch.beans()).isEqualTo(201);
    }

    @Test
    void logVolumeAndExceptionsAreCountedByLoggerAndType() {
        budget.logged("a.b.C", 60_000);
        budget.logged("a.b.D", 10_000);
        budget.exception(new IllegalStateException());
        budget.exception(new IllegalStateException());
        end();

        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.offence()).isEqualTo(Offence.LOG);
            assertThat(report.budget())
                    .contains("exceptions=2 (2 of java.lang.IllegalStateException)")
                    .contains("log-bytes=70000 (60000 of a.b.C)");
        });
        assertThat(watch.logBytes()).isEqualTo(70_000);
        assertThat(watch.exceptions()).isEqualTo(2);
    }

    @Test
    void aRequestOfManyOffencesKeepsTheFirstEight() {
        for (int i = 0; i < 50; i++) {
            slow(budget, "SELECT " + "x".repeat(i));
        }
        end();

        assertThat(reports).hasSize(8);
    }

    @Test
    void aRequestEndsOnce() {
        end();
        end();

        assertThat(watch.requests()).isEqualTo(1);
    }

    @Test
    void theHeaderHasMillisecondsByKind() {
        call(Kind.POOL, 1);
        call(Kind.SQL, 12);
        pass(2);

        assertThat(budget.serverTiming())
                .isEqualTo("total;dur=15.0, pool;dur=1.0;desc=\"1\", sql;dur=12.0;desc=\"1\", rest;dur=2.0");
    }

    @Test
    void manyQueriesOfDifferentTextAreCountedWithoutTheirNames() {
        for (int i = 0; i < 1_000; i++) {
            budget.query("SELECT " + i);
        }

        assertThat(budget.queries()).isEqualTo(1_000);
        assertThat(budget.mostOfOneQuery()).isEqualTo(1);
    }

    private void slow(Budget of, String sql) {
        long begun = of.begin(Kind.SQL);
        pass(134);
        of.end(Kind.SQL, begun, sql);
    }

    private void call(Kind kind, long millis) {
        long begun = budget.begin(kind);
        pass(millis);
        budget.end(kind, begun, kind);
    }

    private void end() {
        watch.end(budget, () -> "GET /any", 200);
    }

    private void pass(long millis) {
        nanos.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }
}
