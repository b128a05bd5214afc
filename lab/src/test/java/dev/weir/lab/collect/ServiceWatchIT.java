package dev.weir.lab.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.collect.ServiceSample.Activity;
import dev.weir.lab.collect.ServiceSample.VirtualThreads;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServiceWatchIT {
    private static final int WINDOWS = 5;
    /** The first dump comes after half a second; on a fast machine the requests alone are answered before. */
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

    @Test
    void seesAllThreadsOfAFixedExecutorAsleep() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "jdk", "sleep", "8")) {
            watch(service, 24, 400, sample -> {
                WorkerPool pool = onlyPool(sample);
                assertThat(pool.max()).isEqualTo(8);
                assertThat(pool.busyMean()).isGreaterThan(7.2);
                assertThat(pool.setting()).isEqualTo("the executor given to HttpServer.setExecutor");
                assertThat(pool.waitsIn()).startsWith("dev.weir.lab.collect.WatchedService.pause:");
                assertThat(pool.share(Activity.SLEEPING)).isGreaterThan(0.5);
                assertThat(sample.virtualThreads()).isNull();
                assertThat(sample.missing()).isEmpty();
            });
        }
    }

    @Test
    void seesIdleThreadsAsIdle() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "jdk", "sleep", "8")) {
            watch(service, 2, 80, sample -> {
                assertThat(onlyPool(sample).max()).isEqualTo(8);
                assertThat(onlyPool(sample).busyMean()).isBetween(0.1, 3.0);
            });
        }
    }

    @Test
    void readsTomcatsOwnGauges() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "tomcat", "sleep", "10")) {
            watch(service, 30, 400, sample -> {
                WorkerPool pool = onlyPool(sample);
                assertThat(pool.source()).isEqualTo("Tomcat ThreadPool MBean");
                assertThat(pool.max()).isEqualTo(10);
                assertThat(pool.busyMean()).isGreaterThan(9);
                assertThat(pool.setting()).isEqualTo("maxThreads of the Connector");
                assertThat(pool.waitsIn()).startsWith("dev.weir.lab.collect.WatchedService.pause:");
            });
        }
    }

    @Test
    void seesTheCpuOfASpinningServiceAndWhereItSpins() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "jdk", "spin", "8")) {
            watch(service, 8, 150, sample -> {
                assertThat(onlyPool(sample).share(Activity.RUNNING)).isGreaterThan(0.5);
                assertThat(sample.hotFrames().keySet()).anyMatch(frame -> frame.contains("WatchedService.spin:"));
                assertThat(sample.cpuCores()).isPositive();
                assertThat(sample.runDelayShare()).isGreaterThan(0.5);
            });
        }
    }

    @Test
    void tellsALockFromASleep() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "jdk", "lock", "8")) {
            watch(service, 8, 100, sample -> {
                assertThat(onlyPool(sample).share(Activity.LOCK)).isGreaterThan(0.5);
                assertThat(onlyPool(sample).waitsIn()).contains("WatchedService.pauseUnderLock");
            });
        }
    }

    @Test
    void saysThatRequestsRunOnVirtualThreads() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "virtual", "sleep")) {
            watch(service, 16, 200, sample -> {
                assertThat(sample.virtualThreads())
                        .isNotNull()
                        .extracting(VirtualThreads::servesRequests)
                        .isEqualTo(true);
                assertThat(sample.workers()).isEmpty();
            });
        }
    }

    @Test
    void keepsTheSystemsFiguresWhereAttachingIsRefused() throws Exception {
        try (ServiceProcess service =
                new ServiceProcess(List.of("-XX:+DisableAttachMechanism", "-XX:-UsePerfData"), "jdk", "spin", "2")) {
            watch(service, 2, 50, sample -> {
                assertThat(sample.cpuCores()).isPositive();
                assertThat(sample.threads()).isPositive();
                assertThat(sample.workers()).isEmpty();
                assertThat(sample.gcShare()).isNull();
                assertThat(sample.missing())
                        .singleElement()
                        .asString()
                        .startsWith("The JVM " + service.pid() + " could not be attached to");
            });
        }
    }

    @Test
    void goesOnWhereTheProcessDiesWhileItIsWatched() throws Exception {
        try (ServiceProcess service = new ServiceProcess(List.of(), "jdk", "sleep", "4");
                ServiceWatch watch = ServiceWatch.open(List.of(service.pid()), service.address())) {
            service.load(4);
            service.awaitAnswers(20);
            watch.begin();
            service.kill();
            ServiceSample sample = watch.end();
            assertThat(sample.cpuCores()).isNull();
            assertThat(sample.missing()).containsExactly("The service's process ended during the step.");
        }
    }

    @Test
    void neverAttachesToWhatIsNoJvm() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "60").start();
        try (ServiceWatch watch =
                ServiceWatch.open(List.of(sleep.pid()), new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))) {
            watch.begin();
            ServiceSample sample = watch.end();
            assertThat(sample.cpuCores()).isNotNull();
            assertThat(watch.missing()).singleElement().asString().contains("is not a HotSpot JVM");
            assertThat(sleep.isAlive()).isTrue();
        } finally {
            sleep.destroyForcibly().waitFor();
        }
    }

    /**
     * Watches window after window under load until one shows what is expected: on a machine that is busy with other things
     * a single window may hold one dump only.
     */
    private static void watch(
            ServiceProcess service, int connections, long requests, Consumer<ServiceSample> expectation) {
        try (ServiceWatch watch = ServiceWatch.open(List.of(service.pid()), service.address())) {
            service.load(connections);
            service.awaitAnswers(requests / 4);
            for (int window = 1; window < WINDOWS; window++) {
                try {
                    expectation.accept(window(service, watch, requests));
                    return;
                } catch (AssertionError ignored) {
                    // The next window may show it; the last one reports what it lacks.
                }
            }
            expectation.accept(window(service, watch, requests));
        }
    }

    private static ServiceSample window(ServiceProcess service, ServiceWatch watch, long requests) {
        long end = System.nanoTime() + SHORTEST_WINDOW.toNanos();
        watch.begin();
        do {
            service.awaitAnswers(requests);
        } while (System.nanoTime() < end);
        return watch.end();
    }

    private static WorkerPool onlyPool(ServiceSample sample) {
        assertThat(sample.workers()).hasSize(1);
        return sample.workers().values().iterator().next();
    }
}
