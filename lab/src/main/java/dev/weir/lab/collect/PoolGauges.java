package dev.weir.lab.collect;

import dev.weir.lab.collect.ServiceSample.ConnectionPool;
import dev.weir.lab.collect.ServiceSample.Place;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;

/**
 * The gauges that Tomcat's and HikariCP's own management beans show, as means over a window. Which beans there are is
 * asked once a window, since a service registers them while it starts. Not safe for use by several threads.
 */
final class PoolGauges {
    static final String TOMCAT_SOURCE = "Tomcat ThreadPool MBean";
    private static final String HIKARI_SOURCE = "HikariCP Pool MBean";

    private final JvmConnection jvm;
    private final Map<String, Threads> threads = new HashMap<>();
    private final Map<String, Connections> connections = new HashMap<>();
    private final Set<ObjectName> tomcat;
    private final Set<ObjectName> hikari;
    private boolean tomcatOnVirtualThreads;

    private static final class Threads {
        private final Mean busy = new Mean();
        private int max;
    }

    private static final class Connections {
        private final Mean active = new Mean();
        private final Mean pending = new Mean();
        private int max;
    }

    PoolGauges(JvmConnection jvm) {
        this.jvm = jvm;
        this.tomcat = Stream.of("Tomcat", "Catalina")
                .flatMap(domain -> jvm.names(domain + ":type=ThreadPool,name=*").stream())
                .collect(Collectors.toSet());
        this.hikari = jvm.names("com.zaxxer.hikari:type=Pool (*)");
    }

    /** Reads every gauge once. */
    void sample() {
        tomcat.forEach(this::sampleTomcat);
        hikari.forEach(this::sampleHikari);
    }

    // Tomcat answers -1 for both figures where the connector's executor is not its own pool, as with virtual threads.
    private void sampleTomcat(ObjectName bean) {
        Map<String, Double> gauges = jvm.numbers(bean, "currentThreadsBusy", "maxThreads");
        double busy = gauges.getOrDefault("currentThreadsBusy", -1.0);
        double max = gauges.getOrDefault("maxThreads", -1.0);
        tomcatOnVirtualThreads |= gauges.containsKey("maxThreads") && max < 0;
        if (busy >= 0 && max > 0) {
            Threads pool = threads.computeIfAbsent(unquoted(bean.getKeyProperty("name")), ignored -> new Threads());
            pool.busy.add(busy);
            pool.max = (int) max;
        }
    }

    private static String unquoted(String name) {
        return name.startsWith("\"") ? ObjectName.unquote(name) : name;
    }

    private void sampleHikari(ObjectName bean) {
        Map<String, Double> gauges =
                jvm.numbers(bean, "ActiveConnections", "ThreadsAwaitingConnection", "TotalConnections");
        Double active = gauges.get("ActiveConnections");
        Double pending = gauges.get("ThreadsAwaitingConnection");
        if (active != null && pending != null) {
            Connections pool = connections.computeIfAbsent(poolName(bean), ignored -> new Connections());
            pool.active.add(active);
            pool.pending.add(pending);
            pool.max = Math.max(
                    pool.max, gauges.getOrDefault("TotalConnections", 0.0).intValue());
        }
    }

    private static String poolName(ObjectName bean) {
        String type = bean.getKeyProperty("type");
        return type.substring(type.indexOf('(') + 1, type.length() - 1);
    }

    boolean tomcatOnVirtualThreads() {
        return tomcatOnVirtualThreads;
    }

    /** Tomcat's pools by connector name, with what the dumps saw of their threads. */
    Map<String, WorkerPool> workers(WorkerCensus census) {
        return threads.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, pool -> worker(pool.getKey(), pool.getValue(), census)));
    }

    private static WorkerPool worker(String name, Threads pool, WorkerCensus census) {
        List<Place> places = census.placesOf(name + "-exec");
        return new WorkerPool(
                pool.busy.value(),
                pool.max,
                TOMCAT_SOURCE,
                WorkerCensus.waitsIn(places),
                HttpServerKind.TOMCAT.setting(census.springBoot()),
                places);
    }

    Map<String, ConnectionPool> connections() {
        return connections.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, pool -> connectionPool(pool.getValue())));
    }

    private static ConnectionPool connectionPool(Connections pool) {
        return new ConnectionPool(pool.active.value(), pool.pending.value(), pool.max, HIKARI_SOURCE);
    }
}
