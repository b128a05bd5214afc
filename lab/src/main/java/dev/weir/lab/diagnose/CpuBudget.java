package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.collect.ServiceSample.OtherProcess;
import dev.weir.lab.diagnose.Verdict.Evidence;
import dev.weir.lab.host.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who used the machine's CPUs during a step, in cores.
 *
 * @param cpus of the machine
 * @param limit CPUs the service may use: the machine's, or its quota where that is lower
 * @param service null where the process was not seen
 * @param used by anything; null where the system does not tell
 * @param busiestOthers the busiest processes beside service and generator, busiest first
 */
record CpuBudget(
        int cpus,
        double limit,
        @Nullable Double service,
        double generator,
        @Nullable Double used,
        List<OtherProcess> busiestOthers) {
    /** Share of the machine's CPUs from which other processes are worth their names. */
    static final double NOTICEABLE = 0.05;

    static CpuBudget of(StepFigures step, Machine machine) {
        ServiceSample sample = step.service();
        Double limit = sample == null ? null : sample.cpuLimitCores();
        Double share = sample == null ? null : sample.machineCpuShare();
        if (share == null && step.generator().machineCpuShare() >= 0) {
            share = step.generator().machineCpuShare();
        }
        return new CpuBudget(
                machine.cpus(),
                limit == null ? machine.cpus() : limit,
                sample == null ? null : sample.cpuCores(),
                step.generatorCores(),
                share == null ? null : share * machine.cpus(),
                sample == null ? List.of() : sample.busiestOthers());
    }

    /** Share of its CPUs the service uses, 0 to 1; 0 where the process was not seen. */
    double serviceShare() {
        return service == null ? 0 : service / limit;
    }

    /** Share of the machine's CPUs in use; 0 where the system does not tell. */
    double machineShare() {
        return used == null ? 0 : Math.min(1, used / cpus);
    }

    /** Share of the CPU in use that is the service's, 0 to 1. */
    double servicePart() {
        return service == null || used == null ? 0 : Math.min(1, service / Math.max(used, service));
    }

    /** Share of the CPU in use that is the generator's, 0 to 1. */
    double generatorPart() {
        return used == null ? 0 : Math.min(1, generator / Math.max(used, generator));
    }

    /** Cores used by neither service nor generator. */
    double others() {
        return used == null ? 0 : Math.max(0, used - generator - (service == null ? 0 : service));
    }

    /** Cores nothing uses; all where the system does not tell. */
    double free() {
        return used == null ? cpus : Math.max(0, cpus - used);
    }

    /** The busiest other process, for example {@code java Batch (process 12) 0.90 cores}. */
    Optional<String> busiestOther() {
        return busiestOthers.stream().findFirst().map(CpuBudget::words);
    }

    private static String words(OtherProcess other) {
        return other.name() + " (process " + other.pid() + ") " + Figures.cores(other.cores());
    }

    List<Evidence> evidence() {
        List<Evidence> evidence = new ArrayList<>();
        if (service != null) {
            evidence.add(new Evidence(
                    "CPU of the service",
                    Figures.cores(service) + " of " + Figures.number(limit) + " (" + Figures.percent(serviceShare())
                            + ")",
                    "/proc"));
        }
        evidence.add(new Evidence("CPU of the generator", Figures.cores(generator), "its own process"));
        if (used != null) {
            evidence.add(new Evidence(
                    "CPU of the machine",
                    Figures.percent(machineShare()) + " of " + cpus + " CPUs, " + Figures.cores(others())
                            + (service == null ? " not the generator's" : " neither the service's nor the generator's"),
                    "/proc/stat"));
        }
        if (others() >= NOTICEABLE * cpus && !busiestOthers.isEmpty()) {
            evidence.add(new Evidence(
                    "busiest other processes",
                    busiestOthers.stream().map(CpuBudget::words).collect(Collectors.joining(", ")),
                    "/proc"));
        }
        return evidence;
    }
}
