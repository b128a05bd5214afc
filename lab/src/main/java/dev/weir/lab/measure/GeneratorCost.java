package dev.weir.lab.measure;

/**
 * What the generator itself spent during a run, so that it can say when it was the limit.
 *
 * @param cpuNanos CPU time of the generator's process during the run
 * @param busiestThreadShare CPU time of the busiest engine thread / wall time, 0 to 1
 * @param runDelayNanos time the engine threads were runnable and waited for a CPU, summed over threads; -1 where the
 *     system does not tell
 * @param machineCpuShare share of all CPUs of the machine in use by anything, 0 to 1; -1 where the system does not tell
 * @param cpus processors available to the generator's process
 */
public record GeneratorCost(
        long cpuNanos, double busiestThreadShare, long runDelayNanos, double machineCpuShare, int cpus) {}
