package dev.weir.lab.check;

import dev.weir.lab.check.CheckResult.WarmUp;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Warms a service up with a closed loop, window by window, until a {@link WarmUpJudge} believes that it is warm. First the
 * connections are doubled as long as that brings more answers: a service that spends its time waiting gets too few requests
 * over few connections for its JIT compilers to do their work.
 */
final class WarmUpRun {
    private static final Duration WINDOW = Duration.ofMillis(1_500);
    private static final Duration REST = Duration.ofSeconds(1);
    /** Twice the connections must bring at least this many times the answers, or they stay as they were. */
    private static final double WORTH_DOUBLING = 1.3;
    /** Above this share of failures no more connections are tried. */
    private static final double FEW_FAILURES = 0.01;
    /** Above this share of failures, a service is not worth looking into. */
    private static final double TOO_MANY_FAILURES = 0.5;

    /**
     * What it gave.
     *
     * @param perSecond completed in the last window
     */
    record Warmed(WarmUp warmUp, double perSecond) {}

    private final CheckConfig config;
    private final LoadDriver driver;
    private final Watch watch;
    private final CheckListener listener;

    WarmUpRun(CheckConfig config, LoadDriver driver, Watch watch, CheckListener listener) {
        this.config = config;
        this.driver = driver;
        this.watch = watch;
        this.listener = listener;
    }

    /**
     * Warms up.
     *
     * @throws CheckFailedException if the service does not answer, or answers nothing but failures
     */
    Warmed run() throws InterruptedException {
        WarmUpJudge judge = new WarmUpJudge();
        long start = System.nanoTime();
        long requests = 0;
        double answersBefore = 0;
        boolean growing = true;
        while (true) {
            Measurement window = driver.run(Load.closed(WINDOW), watch::begin, listener::second);
            ServiceSample sample = watch.end();
            requests += window.completed();
            double perSecond = window.completedPerSecond();
            boolean timeIsUp = driver.stopped()
                    || System.nanoTime() - start + WINDOW.toNanos()
                            > config.warmUp().toNanos();
            if (growing) {
                if (answersBefore == 0) {
                    refuseWhatIsNoService(window);
                }
                growing = grow(window, answersBefore) && !timeIsUp;
                answersBefore = perSecond;
                if (growing) {
                    continue;
                }
            } else {
                refuseWhatIsNoService(window);
            }
            judge.add(perSecond, window.duration().toNanos() / 1e9, sample == null ? null : sample.compileShare());
            switch (judge.next(timeIsUp)) {
                case WarmUpJudge.Next.Load load -> {}
                case WarmUpJudge.Next.Rest rest -> Thread.sleep(REST);
                case WarmUpJudge.Next.Over over -> {
                    Duration took = Duration.ofNanos(System.nanoTime() - start);
                    String why = driver.stopped() && !over.settled() ? "the check was stopped" : over.why();
                    return new Warmed(new WarmUp(took, requests, over.settled(), why), perSecond);
                }
            }
        }
    }

    /** Doubles the connections where the last doubling was worth it, else takes it back; false when that is over. */
    private boolean grow(Measurement window, double answersBefore) {
        boolean worth = window.completedPerSecond() >= WORTH_DOUBLING * answersBefore;
        boolean well = window.errorShare() <= FEW_FAILURES;
        int now = driver.connections();
        if (answersBefore > 0 && !(worth && well)) {
            driver.use(now / 2);
            return false;
        }
        if (!well || 2 * now > config.connections() / 2) {
            return false;
        }
        driver.use(2 * now);
        return true;
    }

    private void refuseWhatIsNoService(Measurement window) {
        if (driver.stopped()) {
            return;
        }
        String url = config.plan().target().url();
        if (window.completed() == 0) {
            throw new CheckFailedException(url + " answers nothing" + reason(window)
                    + ": check that it is the service meant, and raise --timeout if it needs longer than "
                    + config.timeout().toMillis() + " ms");
        }
        if (window.errorShare() > TOO_MANY_FAILURES) {
            throw new CheckFailedException(String.format(
                    Locale.ROOT,
                    "%.0f %% of the requests to %s fail%s: a check needs a service that answers well at a low rate;"
                            + " check path, method and headers",
                    100 * window.errorShare(),
                    url,
                    reason(window)));
        }
    }

    private static String reason(Measurement window) {
        return window.failures().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> " (" + window.failureReasons().get(most.getKey()) + ")")
                .orElse("");
    }
}
