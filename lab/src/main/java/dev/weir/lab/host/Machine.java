package dev.weir.lab.host;

/**
 * The machine and JVM a figure was measured on.
 *
 * @param cpuModel as the system names it; {@code unknown} where it does not
 * @param cpus processors available to this process
 * @param memoryBytes physical memory, or the cgroup's bound where that is lower
 * @param os name and version
 * @param jdk vendor and version of the JVM running Weir
 */
public record Machine(String cpuModel, int cpus, long memoryBytes, String os, String jdk) {}
