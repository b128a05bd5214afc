package dev.weir.lab.host;

import org.jspecify.annotations.Nullable;

/**
 * What the control groups of a process allow it and have withheld so far.
 *
 * @param cpuLimitCores CPUs it may use at once, by the tightest quota on its path; null where there is none
 * @param throttledNanos time the group with that quota stood still for having used it up, summed since its creation
 * @param memoryLimitBytes the tightest memory bound on its path; null where there is none
 */
public record Cgroup(
        @Nullable Double cpuLimitCores,
        long throttledNanos,
        @Nullable Long memoryLimitBytes) {}
