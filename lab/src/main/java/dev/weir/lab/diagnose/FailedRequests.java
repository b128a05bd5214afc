package dev.weir.lab.diagnose;

import dev.weir.lab.diagnose.Verdict.Evidence;
import dev.weir.lab.measure.FailureKind;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The requests of a step that failed, in words: their share, and by kind, most first, each with one reason.
 *
 * @param share of the requests offered, 0 to 1
 */
record FailedRequests(double share, String byKind) {

    /** Those of a step; empty where none failed. */
    static Optional<FailedRequests> of(StepFigures step) {
        double failed =
                step.failures().values().stream().mapToDouble(Long::doubleValue).sum();
        return failed == 0
                ? Optional.empty()
                : Optional.of(new FailedRequests(failed / Math.max(failed, step.offered()), byKind(step)));
    }

    private static String byKind(StepFigures step) {
        return step.failures().entrySet().stream()
                .sorted(Map.Entry.<FailureKind, Long>comparingByValue(Comparator.reverseOrder()))
                .map(failure -> Figures.number(failure.getValue().doubleValue()) + " " + kind(step, failure.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String kind(StepFigures step, FailureKind kind) {
        String reason = step.failureReasons().getOrDefault(kind, kind.id());
        return reason.equals(kind.id()) ? kind.id() : kind.id() + " (" + reason + ")";
    }

    /** For example {@code 0.30 % of the requests failed: 30 status (status 503), 2 timeout}. */
    String words() {
        return Figures.finePercent(share) + " of the requests failed: " + byKind;
    }

    Evidence evidence() {
        return new Evidence("failed requests", Figures.finePercent(share) + ": " + byKind, "the generator");
    }
}
