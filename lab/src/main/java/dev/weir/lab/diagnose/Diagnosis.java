package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.Finding.Found;
import dev.weir.lab.diagnose.Finding.NotEnoughData;
import dev.weir.lab.diagnose.Finding.RuledOut;
import dev.weir.lab.diagnose.Finding.Weight;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Evidence;
import dev.weir.lab.knee.Capacity.Limit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names what stops a service. Pure: the same input gives the same verdict.
 *
 * <p>Every rule judges the input by itself. One direct finding wins over any circumstantial ones; two direct findings, or
 * two circumstantial ones alone, contradict each other, and then, as where no rule finds anything, the verdict is
 * {@link Cause#UNKNOWN} with what was ruled out and what would have to be seen.
 */
public final class Diagnosis {
    /** Share of the time in garbage collections that is worth a word where nothing else explains the limit. */
    private static final double MUCH_GC = 0.15;

    private static final List<Rule> RULES = List.of(new CpuRule(), new WorkerThreadsRule(), new GeneratorRule());

    private Diagnosis() {}

    /** The verdict on one check. */
    public static Verdict of(DiagnosisInput input) {
        if (input.capacity().limit() == Limit.MAX_RATE) {
            return noLimit(input);
        }
        List<Finding> findings = RULES.stream().map(rule -> rule.judge(input)).toList();
        List<Found> direct = found(findings, Weight.DIRECT);
        List<Found> candidates = direct.isEmpty() ? found(findings, Weight.CIRCUMSTANTIAL) : direct;
        return switch (candidates.size()) {
            case 0 -> unknown(input, findings);
            case 1 -> complete(candidates.getFirst().verdict(), input);
            default -> contradictory(input, candidates, findings);
        };
    }

    private static List<Found> found(List<Finding> findings, Weight weight) {
        return findings.stream()
                .filter(Found.class::isInstance)
                .map(Found.class::cast)
                .filter(found -> found.weight() == weight)
                .toList();
    }

    private static Verdict noLimit(DiagnosisInput input) {
        return new Verdict(
                Cause.NONE,
                "The service sustained " + Figures.perSecond(input.capacity().lowPerSecond())
                        + ", the highest rate tried, so no limit was found.",
                CpuBudget.of(input.at(), input.machine()).evidence(),
                null,
                input.missing());
    }

    private static Verdict complete(Verdict verdict, DiagnosisInput input) {
        List<Evidence> evidence = new ArrayList<>(verdict.evidence());
        FailedRequests.of(input.at()).map(FailedRequests::evidence).ifPresent(evidence::add);
        return new Verdict(verdict.cause(), verdict.sentence(), evidence, verdict.change(), missing(input, List.of()));
    }

    private static Verdict contradictory(DiagnosisInput input, List<Found> candidates, List<Finding> findings) {
        String both =
                candidates.stream().map(found -> found.verdict().cause().id()).collect(Collectors.joining(" and "));
        return new Verdict(
                Cause.UNKNOWN,
                stalls(input) + ", and the evidence names more than one cause: " + both + ".",
                candidates.stream()
                        .flatMap(found -> Stream.concat(
                                Stream.of(new Evidence(
                                        "for " + found.verdict().cause().id(),
                                        found.verdict().sentence(),
                                        "rule")),
                                found.verdict().evidence().stream()))
                        .distinct()
                        .toList(),
                null,
                missing(input, findings));
    }

    private static Verdict unknown(DiagnosisInput input, List<Finding> findings) {
        List<RuledOut> ruledOut = findings.stream()
                .filter(RuledOut.class::isInstance)
                .map(RuledOut.class::cast)
                .toList();
        String clauses = Stream.concat(ruledOut.stream().map(RuledOut::why), hints(input).stream())
                .collect(Collectors.joining("; "));
        return new Verdict(
                Cause.UNKNOWN,
                stalls(input) + ", and what was seen does not name the cause"
                        + (clauses.isEmpty() ? "" : ": " + clauses) + ".",
                ruledOut.stream().flatMap(out -> out.evidence().stream()).toList(),
                null,
                missing(input, findings));
    }

    private static String stalls(DiagnosisInput input) {
        return input.capacity().lowPerSecond() <= 0
                ? "The service sustained no rate that was tried"
                : "The service stalls at " + Figures.perSecond(input.capacity().midPerSecond());
    }

    /** What no rule judges but a reader will want to know. */
    private static List<String> hints(DiagnosisInput input) {
        List<String> hints = new ArrayList<>();
        FailedRequests.of(input.at()).ifPresent(failed -> hints.add(failed.words()));
        ServiceSample sample = input.at().service();
        if (sample != null) {
            addHints(sample, hints);
        }
        return hints;
    }

    private static void addHints(ServiceSample sample, List<String> hints) {
        sample.pools().forEach((name, pool) -> {
            if (pool.pendingMean() >= 1) {
                hints.add(Figures.number(pool.pendingMean()) + " threads wait for a connection of " + name
                        + ", of which " + Figures.number(pool.activeMean()) + " of " + pool.max() + " are in use");
            }
        });
        Double gc = sample.gcShare();
        if (gc != null && gc >= MUCH_GC) {
            hints.add("garbage collections take " + Figures.percent(gc) + " of the time");
        }
        Double openFiles = sample.openFilesShare();
        if (openFiles != null && openFiles >= 0.9) {
            hints.add(Figures.percent(openFiles) + " of the file descriptors the service may open are open");
        }
    }

    private static List<String> missing(DiagnosisInput input, List<Finding> findings) {
        Set<String> missing = new LinkedHashSet<>(input.missing());
        ServiceSample sample = input.at().service();
        if (sample != null) {
            missing.addAll(sample.missing());
        }
        findings.stream()
                .filter(NotEnoughData.class::isInstance)
                .map(finding -> ((NotEnoughData) finding).missing())
                .forEach(missing::add);
        return List.copyOf(missing);
    }
}
