package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.Finding.Found;
import dev.weir.lab.diagnose.Finding.NotEnoughData;
import dev.weir.lab.diagnose.Finding.RuledOut;
import dev.weir.lab.diagnose.Finding.Weight;
import dev.weir.lab.diagnose.SaturatedThread.Growth;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.diagnose.Verdict.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The service has used up its CPUs: those of its quota, those of the machine, the one that a single thread can use, or the
 * larger part of a full machine.
 */
final class CpuRule implements Rule {
    /** Share of its CPUs from which a service counts as having used them up. Nothing reaches 1: threads also wait. */
    static final double SERVICE_FULL = 0.85;

    /** Share of the machine's CPUs from which the machine counts as full. */
    static final double MACHINE_FULL = 0.90;

    /** Share of the CPU in use from which the service is what fills a machine. */
    static final double SERVICE_PART = 0.5;

    /** Share of the time from which a throttled service is limited by its quota. */
    static final double THROTTLED = 0.10;

    @Override
    public Finding judge(DiagnosisInput input) {
        ServiceSample sample = input.at().service();
        if (sample == null || sample.cpuCores() == null) {
            return new NotEnoughData(
                    "The service's CPU was not seen: run weir on the service's machine, as its user or "
                            + "as root, or give --pid.");
        }
        CpuBudget cpu = CpuBudget.of(input.at(), input.machine());
        return Stream.of(
                        quota(input, sample, cpu),
                        ownCpus(input, sample, cpu),
                        oneThread(input, sample, cpu),
                        fullMachine(input, sample, cpu))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> ruledOut(cpu));
    }

    private static Finding ruledOut(CpuBudget cpu) {
        return new RuledOut(
                "the service uses " + Figures.percent(cpu.serviceShare()) + " of its CPU"
                        + (cpu.used() == null
                                ? ""
                                : ", the machine is " + Figures.percent(cpu.machineShare()) + " used"),
                cpu.evidence());
    }

    private static Optional<Finding> quota(DiagnosisInput input, ServiceSample sample, CpuBudget cpu) {
        Double throttled = sample.cpuThrottledShare();
        if (throttled == null || throttled < THROTTLED || cpu.limit() >= cpu.cpus()) {
            return Optional.empty();
        }
        String sentence = "From " + Figures.perSecond(stall(input)) + " on the service's control group has used up its "
                + "quota of " + Figures.cores(cpu.limit()) + " and stands still " + Figures.percent(throttled)
                + " of the time.";
        Change change = new Change(
                "the CPU quota of the service's control group",
                Figures.cores(cpu.limit()),
                Figures.cores(Math.min(cpu.cpus(), cpu.limit() * 2)),
                "a group that has used its quota stands still until the next period, however idle the machine is",
                null);
        return Optional.of(found(Weight.DIRECT, sentence, change, sample, cpu));
    }

    private static Optional<Finding> ownCpus(DiagnosisInput input, ServiceSample sample, CpuBudget cpu) {
        if (cpu.serviceShare() < SERVICE_FULL) {
            return Optional.empty();
        }
        String sentence =
                "From " + Figures.perSecond(stall(input)) + " on the service uses " + service(cpu) + " of its "
                        + Figures.number(cpu.limit()) + " CPUs (" + Figures.percent(cpu.serviceShare()) + ")"
                        + perRequest(input, cpu) + hottest(sample) + ".";
        return Optional.of(found(Weight.DIRECT, sentence, null, sample, cpu));
    }

    private static Optional<Finding> fullMachine(DiagnosisInput input, ServiceSample sample, CpuBudget cpu) {
        if (cpu.machineShare() < MACHINE_FULL || cpu.servicePart() < SERVICE_PART) {
            return Optional.empty();
        }
        String sentence = "From " + Figures.perSecond(stall(input)) + " on the machine's " + cpu.cpus() + " CPUs are "
                + Figures.percent(cpu.machineShare()) + " used, the larger part by the service: " + service(cpu)
                + ", beside " + Figures.cores(cpu.generator()) + " of the generator and " + Figures.cores(cpu.others())
                + " of other processes" + perRequest(input, cpu) + hottest(sample) + ".";
        return Optional.of(found(Weight.CIRCUMSTANTIAL, sentence, null, sample, cpu));
    }

    private static Optional<Finding> oneThread(DiagnosisInput input, ServiceSample sample, CpuBudget cpu) {
        return SaturatedThread.of(input)
                .filter(SaturatedThread::limitsItself)
                .map(thread -> oneThread(input, sample, cpu, thread));
    }

    private static Finding oneThread(
            DiagnosisInput input, ServiceSample sample, CpuBudget cpu, SaturatedThread thread) {
        String sentence = "From " + Figures.perSecond(stall(input)) + " on one thread of the service, " + thread.name()
                + ", is never idle: it runs " + Figures.percent(thread.runs()) + " of the time"
                + (thread.waits() < 0.005 ? "" : " and waits for a CPU " + Figures.percent(thread.waits())) + ", "
                + Figures.number(thread.microsPerRequest()) + " µs a request" + ceiling(input, thread)
                + ", while the service as a whole uses "
                + Figures.percent(cpu.serviceShare()) + " of its CPUs" + hottest(sample) + ".";
        Change change = new Change(
                "the work of the thread " + thread.name(),
                null,
                "spread the work of " + thread.name() + " over more threads or processes"
                        + (thread.name().startsWith("nginx") ? " (worker_processes)" : "")
                        + ", or take work away from each request",
                "one thread cannot use more than one CPU; " + room(input, cpu),
                null);
        Weight weight = thread.growth() == Growth.WITH_THE_RATE ? Weight.DIRECT : Weight.CIRCUMSTANTIAL;
        return found(weight, sentence, change, thread.evidence(), sample, cpu);
    }

    // Some services need more CPU a request beyond their limit: what they do there is no ceiling.
    private static String ceiling(DiagnosisInput input, SaturatedThread thread) {
        return thread.ceilingPerSecond() < input.capacity().lowPerSecond()
                ? ""
                : ", so one thread ends at about " + Figures.perSecond(thread.ceilingPerSecond());
    }

    private static String room(DiagnosisInput input, CpuBudget cpu) {
        double rate = input.at().servedPerSecond();
        double used = cpu.serviceShare() * cpu.limit() + cpu.generator();
        if (cpu.used() == null || used <= 0) {
            return "what this machine has left for more was not seen";
        }
        return "of this machine " + Figures.cores(cpu.free()) + " are free, enough for at most "
                + Figures.perSecond(rate * (1 + cpu.free() / used)) + " with the generator beside it";
    }

    private static Finding found(
            Weight weight, String sentence, @Nullable Change change, ServiceSample sample, CpuBudget cpu) {
        return found(weight, sentence, change, List.of(), sample, cpu);
    }

    private static Finding found(
            Weight weight,
            String sentence,
            @Nullable Change change,
            List<Evidence> first,
            ServiceSample sample,
            CpuBudget cpu) {
        List<Evidence> evidence = new ArrayList<>(first);
        evidence.addAll(cpu.evidence());
        add(evidence, "threads runnable and waiting for a CPU, on average", sample.runDelayShare(), "schedstat");
        addShare(evidence, "time in garbage collections", sample.gcShare(), "GC MBeans");
        add(evidence, "threads at work in the JIT compilers, on average", sample.compileShare(), "Compilation MBean");
        hotFrames(sample)
                .forEach(frame -> evidence.add(new Evidence(
                        "running request threads seen in " + frame.getKey(),
                        Figures.percent(frame.getValue()),
                        "thread dumps")));
        return new Found(weight, new Verdict(Cause.CPU, sentence, evidence, change, List.of()));
    }

    private static void add(List<Evidence> evidence, String what, @Nullable Double value, String source) {
        if (value != null) {
            evidence.add(new Evidence(what, String.format(Locale.ROOT, "%.2f", value), source));
        }
    }

    private static void addShare(List<Evidence> evidence, String what, @Nullable Double value, String source) {
        if (value != null) {
            evidence.add(new Evidence(what, Figures.percent(value), source));
        }
    }

    private static Stream<Map.Entry<String, Double>> hotFrames(ServiceSample sample) {
        return sample.hotFrames().entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()));
    }

    private static String hottest(ServiceSample sample) {
        return hotFrames(sample)
                .findFirst()
                .map(frame -> ", most often seen in " + frame.getKey())
                .orElse("");
    }

    private static String service(CpuBudget cpu) {
        return Figures.cores(cpu.serviceShare() * cpu.limit());
    }

    private static String perRequest(DiagnosisInput input, CpuBudget cpu) {
        double rate = input.at().completedPerSecond();
        return rate <= 0 ? "" : ", " + Figures.number(cpu.serviceShare() * cpu.limit() / rate * 1e6) + " µs a request";
    }

    private static double stall(DiagnosisInput input) {
        return input.capacity().midPerSecond();
    }
}
