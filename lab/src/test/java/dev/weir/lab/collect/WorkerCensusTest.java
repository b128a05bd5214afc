package dev.weir.lab.collect;

import static dev.weir.lab.collect.SeenThreadTest.stack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.collect.ServiceSample.Activity;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerCensusTest {
    private final WorkerCensus census = new WorkerCensus();

    @Test
    void averagesTheBusyThreadsOverItsDumps() {
        census.addShallow(threads("pool-1-thread-", idle(2), sleeping(2)));
        census.addShallow(threads("pool-1-thread-", idle(0), sleeping(4)));
        WorkerPool pool = pool("pool-1-thread-#");
        assertThat(pool.busyMean()).isEqualTo(3);
        assertThat(pool.max()).isEqualTo(4);
        assertThat(pool.source()).isEqualTo("thread dumps");
        assertThat(pool.setting()).isNull();
    }

    @Test
    void takesWhereTheyAreFromTheDeepDumps() {
        census.addShallow(threads("pool-1-thread-", idle(0), sleeping(4)));
        census.addDeep(threads("pool-1-thread-", idle(1), sleeping(3)));
        census.addDeep(List.of(thread("pool-1-thread-9", Thread.State.RUNNABLE, "shop.Json.write", JDK_EXCHANGE)));
        WorkerPool pool = pool("pool-1-thread-#");
        assertThat(pool.waitsIn()).isEqualTo("shop.Catalog.find:7");
        assertThat(pool.share(Activity.SLEEPING)).isEqualTo(0.75, within(1e-9));
        assertThat(pool.setting()).isEqualTo("the executor given to HttpServer.setExecutor");
        assertThat(census.hotFrames()).isEqualTo(Map.of("shop.Json.write:7", 1.0));
    }

    @Test
    void countsJettysSelectorsAndAcceptorsAsNoWorkers() {
        SeenThread selector = thread("qtp1-1", Thread.State.RUNNABLE, "sun.nio.ch.EPoll.wait", "org.x.Y.z");
        SeenThread busy = thread(
                "qtp1-2",
                Thread.State.TIMED_WAITING,
                "java.lang.Thread.sleep",
                "shop.A.b",
                "org.eclipse.jetty.server.Server.handle");
        census.addShallow(List.of(selector, busy));
        assertThat(pool("qtp#")).satisfies(pool -> {
            assertThat(pool.max()).isEqualTo(1);
            assertThat(pool.busyMean()).isEqualTo(1);
            assertThat(pool.setting()).isEqualTo("maxThreads of the QueuedThreadPool");
        });
    }

    @Test
    void leavesOutThreadsThatAreNoPoolAndPoolsThatDoNothing() {
        census.addShallow(Stream.concat(
                        threads("scheduler-", idle(2), List.of()).stream(),
                        Stream.of(thread("main", Thread.State.WAITING, "java.lang.Object.wait0", "shop.Main.main")))
                .toList());
        assertThat(pools()).isEmpty();
        assertThat(census.servesRequests()).isFalse();
    }

    private static final String JDK_EXCHANGE = "sun.net.httpserver.ServerImpl$Exchange.run";

    private WorkerPool pool(String name) {
        return Objects.requireNonNull(pools().get(name));
    }

    private Map<String, WorkerPool> pools() {
        return census.pools();
    }

    private static List<StackTraceElement[]> idle(int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        i -> stack("jdk.internal.misc.Unsafe.park", "java.util.concurrent.ThreadPoolExecutor.getTask"))
                .toList();
    }

    private static List<StackTraceElement[]> sleeping(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> stack(
                        "java.lang.Thread.sleep",
                        "shop.Catalog.find",
                        "java.util.concurrent.ThreadPoolExecutor$Worker.run"))
                .toList();
    }

    private static List<SeenThread> threads(
            String prefix, List<StackTraceElement[]> idle, List<StackTraceElement[]> busy) {
        List<StackTraceElement[]> all =
                Stream.concat(idle.stream(), busy.stream()).toList();
        return IntStream.range(0, all.size())
                .mapToObj(i -> SeenThread.of(prefix + (i + 1), Thread.State.TIMED_WAITING, all.get(i))
                        .orElseThrow())
                .toList();
    }

    private static SeenThread thread(String name, Thread.State state, String... frames) {
        return SeenThread.of(name, state, stack(frames)).orElseThrow();
    }
}
