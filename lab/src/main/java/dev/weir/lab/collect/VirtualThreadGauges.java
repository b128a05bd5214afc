package dev.weir.lab.collect;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.management.ObjectName;

/**
 * The scheduler of virtual threads, from the bean a JDK 24 or later has. Its pool is empty until the first virtual thread
 * runs. Not safe for use by several threads.
 */
final class VirtualThreadGauges {
    private final JvmConnection jvm;
    private final Set<ObjectName> beans;
    private final Mean mounted = new Mean();
    private int carriers;

    VirtualThreadGauges(JvmConnection jvm) {
        this.jvm = jvm;
        this.beans = jvm.names("jdk.management:type=VirtualThreadScheduler");
    }

    void sample() {
        for (ObjectName bean : beans) {
            Map<String, Double> gauges = jvm.numbers(bean, "PoolSize", "MountedVirtualThreadCount");
            carriers = Math.max(carriers, gauges.getOrDefault("PoolSize", 0.0).intValue());
            mounted.add(Math.max(0, gauges.getOrDefault("MountedVirtualThreadCount", 0.0)));
        }
    }

    boolean inUse() {
        return carriers > 0;
    }

    /** Empty where no virtual thread ever ran, or the JVM does not tell. */
    Optional<ServiceSample.VirtualThreads> seen(boolean servesRequests) {
        return carriers == 0 && !servesRequests
                ? Optional.empty()
                : Optional.of(new ServiceSample.VirtualThreads(carriers, mounted.value(), servesRequests));
    }
}
