package dev.weir.lab.check;

import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.StepFigures;
import dev.weir.lab.knee.Judgement;
import dev.weir.lab.knee.Search;
import dev.weir.lab.knee.UslFit;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The steps of one search, as they ran. */
final class Steps {

    private record Ran(Step step, StepFigures figures) {}

    private final List<Ran> all = new ArrayList<>();

    Step add(Search.Phase phase, Measurement run, Judgement judgement, @Nullable ServiceSample service) {
        TreeMap<String, Long> failures = new TreeMap<>();
        run.failures().forEach((kind, count) -> failures.put(kind.id(), count));
        TreeMap<String, String> failureReasons = new TreeMap<>();
        run.failureReasons().forEach((kind, reason) -> failureReasons.put(kind.id(), reason));
        double seconds = run.duration().toNanos() / 1e9;
        Step step = new Step(
                all.size() + 1,
                phase.id(),
                run.ratePerSecond(),
                run.sent() / seconds,
                run.completedInSchedule() / seconds,
                run.duration(),
                judgement.passed(),
                judgement.reasons(),
                failures,
                failureReasons,
                run.meanInFlight(),
                run.littleRatio(),
                LatencySummary.of(run.fromIntended()),
                LatencySummary.of(run.fromSent()),
                LatencySummary.of(run.scheduleLag()),
                run.seconds(),
                run.generator(),
                service);
        all.add(new Ran(step, StepFigures.of(run, service)));
        return step;
    }

    List<Step> steps() {
        return all.stream().map(Ran::step).toList();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The step that passed with the least latency. */
    Optional<StepFigures> light() {
        return all.stream()
                .filter(ran -> ran.step.passed() && ran.figures.meanFromSentMillis() > 0)
                .map(Ran::figures)
                .min(Comparator.comparingDouble(StepFigures::meanFromSentMillis));
    }

    /** The step with the highest rate that passed, the longest of several. */
    Optional<StepFigures> below() {
        return all.stream()
                .filter(ran -> ran.step.passed())
                .max(Comparator.comparingDouble((Ran ran) -> ran.step.offeredPerSecond())
                        .thenComparing(ran -> ran.step.duration()))
                .map(Ran::figures);
    }

    /** The step with the lowest rate above every pass that failed, the longest of several; else the highest that passed. */
    Optional<StepFigures> at() {
        double passed = all.stream()
                .filter(ran -> ran.step.passed())
                .mapToDouble(ran -> ran.step.offeredPerSecond())
                .max()
                .orElse(0);
        return all.stream()
                .filter(ran -> !ran.step.passed() && ran.step.offeredPerSecond() > passed)
                .min(Comparator.comparingDouble((Ran ran) -> ran.step.offeredPerSecond())
                        .thenComparing(ran -> ran.step.duration().negated()))
                .map(Ran::figures)
                .or(this::below);
    }

    /** What the scalability law is fitted to: every step in which something completed. */
    List<UslFit.Point> points() {
        return all.stream()
                .map(ran -> new UslFit.Point(ran.step.meanInFlight(), ran.step.completedPerSecond()))
                .toList();
    }
}
