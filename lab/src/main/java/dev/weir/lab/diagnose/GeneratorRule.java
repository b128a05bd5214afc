package dev.weir.lab.diagnose;

import dev.weir.lab.diagnose.Finding.Found;
import dev.weir.lab.diagnose.Finding.NotEnoughData;
import dev.weir.lab.diagnose.Finding.RuledOut;
import dev.weir.lab.diagnose.Finding.Weight;
import dev.weir.lab.diagnose.SaturatedThread.Growth;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.diagnose.Verdict.Evidence;
import dev.weir.lab.knee.Capacity.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Not the service was the limit but what loads it, or what else runs on the machine they share. */
final class GeneratorRule implements Rule {
    /** Share of its time from which the generator's busiest thread cannot do more. */
    static final double THREAD_FULL = 0.90;

    /** Share of the generator's calibrated rate from which a rate says more of the generator than of the service. */
    static final double NEAR_CALIBRATION = 0.90;

    private static final String NOT_REACHED =
            "the service's own limit was not reached, so what to change in it cannot be told yet";
    private static final String SHARED =
            "what the service does with these CPUs for itself was not seen; check again before changing anything in it";

    @Override
    public Finding judge(DiagnosisInput input) {
        CpuBudget cpu = CpuBudget.of(input.at(), input.machine());
        return Stream.of(
                        ownThread(input, cpu),
                        starvesService(input, cpu),
                        calibration(input, cpu),
                        fullMachine(input, cpu),
                        limit(input, cpu))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> ruledOut(input, cpu));
    }

    private static Finding ruledOut(DiagnosisInput input, CpuBudget cpu) {
        if (cpu.machineShare() >= CpuRule.MACHINE_FULL && cpu.service() == null) {
            return new NotEnoughData("The machine is full, and how much of its CPU the service takes was not seen: run "
                    + "weir as the service's user or as root, or give --pid.");
        }
        return new RuledOut(
                "the generator's busiest thread works "
                        + Figures.percent(input.at().generator().busiestThreadShare()) + " of the time",
                List.of());
    }

    private static Optional<Finding> ownThread(DiagnosisInput input, CpuBudget cpu) {
        double share = input.at().generator().busiestThreadShare();
        if (share < THREAD_FULL) {
            return Optional.empty();
        }
        return Optional.of(found(
                Weight.DIRECT,
                "At " + rate(input) + " the generator's busiest thread works " + Figures.percent(share)
                        + " of the time: the generator is the limit, the service may do more.",
                "give the generator more threads (-t), or load from another machine",
                NOT_REACHED,
                input,
                cpu));
    }

    /** The service's busiest thread would do more with a CPU of its own, and it is not the service that takes it away. */
    private static Optional<Finding> starvesService(DiagnosisInput input, CpuBudget cpu) {
        return SaturatedThread.of(input)
                .filter(thread -> !thread.limitsItself() && othersTakeMore(thread, cpu))
                .map(thread -> starved(thread, input, cpu));
    }

    private static boolean othersTakeMore(SaturatedThread thread, CpuBudget cpu) {
        return cpu.service() != null && cpu.generator() + cpu.others() > cpu.service() - thread.runs();
    }

    private static Finding starved(SaturatedThread thread, DiagnosisInput input, CpuBudget cpu) {
        return found(
                thread.growth() == Growth.WITH_THE_RATE ? Weight.DIRECT : Weight.CIRCUMSTANTIAL,
                "At " + rate(input) + " the service's busiest thread, " + thread.name() + ", runs "
                        + Figures.percent(thread.runs()) + " of the time and is ready but waits for a CPU "
                        + Figures.percent(thread.waits()) + ": with a CPU of its own it could do up to "
                        + Figures.percent(thread.gain()) + " more; what it lacks goes to " + culprit(cpu) + ".",
                cure(cpu),
                SHARED,
                input,
                cpu);
    }

    private static Optional<Finding> calibration(DiagnosisInput input, CpuBudget cpu) {
        double reached = input.capacity().midPerSecond();
        if (input.calibratedPerSecond() <= 0 || reached < NEAR_CALIBRATION * input.calibratedPerSecond()) {
            return Optional.empty();
        }
        return Optional.of(found(
                Weight.CIRCUMSTANTIAL,
                "The service kept up to " + rate(input)
                        + ", which is all the generator reaches on this machine against "
                        + "a server that does nothing (" + Figures.perSecond(input.calibratedPerSecond()) + ").",
                "load from another machine",
                NOT_REACHED,
                input,
                cpu));
    }

    private static Optional<Finding> fullMachine(DiagnosisInput input, CpuBudget cpu) {
        boolean serviceIsLess = cpu.service() != null && cpu.servicePart() < CpuRule.SERVICE_PART;
        boolean generatorIsMore = cpu.service() == null && cpu.generatorPart() >= CpuRule.SERVICE_PART;
        if (cpu.machineShare() < CpuRule.MACHINE_FULL || !(serviceIsLess || generatorIsMore)) {
            return Optional.empty();
        }
        return Optional.of(found(
                Weight.CIRCUMSTANTIAL,
                "At " + rate(input) + " the machine's " + cpu.cpus() + " CPUs are "
                        + Figures.percent(cpu.machineShare()) + " used, the larger part not by the service but by "
                        + culprit(cpu) + ".",
                cure(cpu),
                SHARED,
                input,
                cpu));
    }

    private static String cure(CpuBudget cpu) {
        return cpu.generator() >= cpu.others()
                ? "load from another machine"
                : "move the other processes to another machine, or stop them";
    }

    private static String culprit(CpuBudget cpu) {
        String generator = "the generator (" + Figures.cores(cpu.generator()) + ")";
        String others = "other processes (" + Figures.cores(cpu.others())
                + cpu.busiestOther().map(name -> ", the busiest " + name).orElse("") + ")";
        return cpu.generator() >= cpu.others() ? generator + " and " + others : others + " and " + generator;
    }

    private static Optional<Finding> limit(DiagnosisInput input, CpuBudget cpu) {
        boolean serviceFillsMachine =
                cpu.machineShare() >= CpuRule.MACHINE_FULL && cpu.servicePart() >= CpuRule.SERVICE_PART;
        if (input.capacity().limit() != Limit.GENERATOR || serviceFillsMachine) {
            return Optional.empty();
        }
        return Optional.of(found(
                Weight.CIRCUMSTANTIAL,
                "The generator could not offer more than " + rate(input) + " on time: the service may do more.",
                "give the generator more connections (-c) and threads (-t), or load from another machine",
                NOT_REACHED,
                input,
                cpu));
    }

    private static Finding found(
            Weight weight, String sentence, String to, String why, DiagnosisInput input, CpuBudget cpu) {
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence(
                "busiest thread of the generator",
                Figures.percent(input.at().generator().busiestThreadShare()),
                "its CPU time"));
        evidence.add(new Evidence(
                "rate of the generator against a null server",
                Figures.perSecond(input.calibratedPerSecond()),
                "calibration"));
        evidence.addAll(cpu.evidence());
        Change change = new Change("where the load comes from", null, to, why, null);
        return new Found(weight, new Verdict(Cause.GENERATOR, sentence, evidence, change, List.of()));
    }

    private static String rate(DiagnosisInput input) {
        return Figures.perSecond(input.capacity().midPerSecond());
    }
}
