package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.collect.ServiceSample.ThreadUse;
import dev.weir.lab.diagnose.Verdict.Evidence;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the service that does nothing at the limit but run, or wait for a CPU: only CPU lets it do more.
 *
 * <p>How busy it is says its running and its waiting time together. On a CPU of its own it would run in all of that time, and
 * by the utilization law (throughput = share of the time at work / work a request; Denning and Buzen, The Operational
 * Analysis of Queueing Network Models, 1978) it would then do rate x (running + waiting) / running. Where that is
 * today's rate, as far as rates can be told apart here, the thread itself is the limit, whatever its share of a CPU. Where it
 * is well above, the limit is who uses the CPUs meanwhile.
 *
 * <p>A thread that spins for reasons of its own is as busy at every rate; so its CPU time has to grow with the rate.
 *
 * @param runs share of the time it ran, 0 to 1
 * @param waits share of the time it waited for a CPU, 0 to 1; 0 where the system does not tell
 * @param perSecond requests answered meanwhile
 * @param growth whether its CPU time grows with the rate
 */
record SaturatedThread(String name, double runs, double waits, double perSecond, Growth growth) {
    /** Share of the time running or waiting for a CPU from which a thread is never idle; steps begin and end with less. */
    static final double NEVER_IDLE = 0.9;

    /** Part of a thread's CPU time that must go with the rate for it to be spent on requests. */
    static final double FOR_REQUESTS = 0.5;

    /** How much slower a lighter step has to be to tell whether CPU time goes with the rate. */
    private static final double LIGHTER = 0.9;

    /** Whether a thread's CPU time grows with the rate of requests. */
    enum Growth {
        WITH_THE_RATE,
        NOT_WITH_THE_RATE,
        /** No lighter step shows it. */
        NOT_SEEN
    }

    /** The service's busiest thread at its limit, where it is saturated with requests. */
    static Optional<SaturatedThread> of(DiagnosisInput input) {
        ThreadUse use = thread(input.at());
        if (use == null || use.busyShare() < NEVER_IDLE || input.at().servedPerSecond() <= 0) {
            return Optional.empty();
        }
        Double waits = use.runDelayShare();
        SaturatedThread thread = new SaturatedThread(
                use.name(),
                Math.min(1, use.cores()),
                waits == null ? 0 : waits,
                input.at().servedPerSecond(),
                growth(use, input));
        return Optional.of(thread).filter(it -> it.growth != Growth.NOT_WITH_THE_RATE);
    }

    private static @Nullable ThreadUse thread(@Nullable StepFigures step) {
        ServiceSample sample = step == null ? null : step.service();
        return sample == null ? null : sample.busiestThread();
    }

    // Where another thread was the busiest in the lighter step, this one used less than it: a bound that can only
    // confirm.
    private static Growth growth(ThreadUse use, DiagnosisInput input) {
        StepFigures light = input.light();
        ThreadUse earlier = thread(light);
        double rate = input.at().servedPerSecond();
        if (light == null || earlier == null || light.servedPerSecond() > LIGHTER * rate) {
            return Growth.NOT_SEEN;
        }
        double perRequest = (use.cores() - earlier.cores()) / (rate - light.servedPerSecond());
        if (perRequest * rate >= FOR_REQUESTS * use.cores()) {
            return Growth.WITH_THE_RATE;
        }
        return earlier.name().equals(use.name()) ? Growth.NOT_WITH_THE_RATE : Growth.NOT_SEEN;
    }

    /** Whether a CPU of its own would bring no more than rates can be told apart by. */
    boolean limitsItself() {
        return gain() <= WorkerThreadsRule.CEILING_TOLERANCE;
    }

    /** How much more a CPU of its own would let it do, relative to what it does. */
    double gain() {
        return waits / runs;
    }

    /** The rate at which it would run all the time. */
    double ceilingPerSecond() {
        return perSecond / runs;
    }

    /** CPU time a request takes it, in microseconds. */
    double microsPerRequest() {
        return runs / perSecond * 1e6;
    }

    List<Evidence> evidence() {
        return List.of(
                new Evidence("busiest thread of the service, " + name + ", runs", Figures.percent(runs), "schedstat"),
                new Evidence("and is ready to run but waits for a CPU", Figures.percent(waits), "schedstat"));
    }
}
