package dev.weir.lab.collect;

/**
 * What a JVM has spent on itself so far.
 *
 * @param gcMillis in collections that stop the service; the cycles concurrent collectors run beside it do not count
 * @param compileMillis of the JIT compilers, summed over their threads
 */
record JvmTimes(double gcMillis, double compileMillis) {

    static JvmTimes read(JvmConnection jvm) {
        double gcMillis = jvm.names("java.lang:type=GarbageCollector,name=*").stream()
                .filter(bean -> stops(bean.getKeyProperty("name")))
                .mapToDouble(bean -> jvm.numbers(bean, "CollectionTime").getOrDefault("CollectionTime", 0.0))
                .sum();
        double compileMillis = jvm.names("java.lang:type=Compilation").stream()
                .mapToDouble(
                        bean -> jvm.numbers(bean, "TotalCompilationTime").getOrDefault("TotalCompilationTime", 0.0))
                .sum();
        return new JvmTimes(gcMillis, compileMillis);
    }

    private static boolean stops(String collector) {
        return !collector.contains("Cycles") && !collector.contains("Concurrent");
    }
}
