package dev.weir.lab.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.collect.SeenThread.Occupation;
import dev.weir.lab.collect.ServiceSample.Activity;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeenThreadTest {

    @ParameterizedTest
    @CsvSource({
        "http-nio-8080-exec-12, http-nio-8080-exec-#",
        "pool-2-thread-7, pool-2-thread-#",
        "qtp123-45, qtp#",
        "qtp123-45-acceptor-0@1f-ServerConnector, qtp#",
        "XNIO-1 task-3, XNIO-1 task-#",
        "main, main"
    })
    void groupsThreadsByTheirPool(String name, String group) {
        assertThat(SeenThread.group(name)).isEqualTo(group);
    }

    @Test
    void takesAThreadThatWaitsForATaskAsIdle() {
        SeenThread thread = waiting(
                "jdk.internal.misc.Unsafe.park",
                "java.util.concurrent.locks.LockSupport.park",
                "java.util.concurrent.LinkedBlockingQueue.take",
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                "java.util.concurrent.ThreadPoolExecutor.runWorker",
                "java.util.concurrent.ThreadPoolExecutor$Worker.run",
                "java.lang.Thread.run");
        assertThat(thread.occupation()).isEqualTo(Occupation.IDLE);
        assertThat(thread.pooled()).isTrue();
    }

    @Test
    void takesAHandWrittenWorkerOnItsQueueAsIdle() {
        assertThat(waiting(
                                "jdk.internal.misc.Unsafe.park",
                                "java.util.concurrent.LinkedBlockingQueue.take",
                                "shop.Worker.run",
                                "java.lang.Thread.run")
                        .occupation())
                .isEqualTo(Occupation.IDLE);
    }

    @Test
    void takesARequestThatWaitsOnAQueueAsBusy() {
        SeenThread thread = waiting(
                "jdk.internal.misc.Unsafe.park",
                "java.util.concurrent.locks.LockSupport.parkNanos",
                "java.util.concurrent.SynchronousQueue.poll",
                "com.zaxxer.hikari.util.ConcurrentBag.borrow",
                "com.zaxxer.hikari.pool.HikariPool.getConnection",
                "shop.Catalog.find",
                "org.springframework.web.servlet.DispatcherServlet.doDispatch",
                "org.apache.coyote.http11.Http11Processor.service",
                "java.lang.Thread.run");
        assertThat(thread.occupation()).isEqualTo(Occupation.BUSY);
        assertThat(thread.activity()).isEqualTo(Activity.CONNECTION_POOL);
        assertThat(thread.where()).isEqualTo("shop.Catalog.find:7");
        assertThat(thread.through()).isEqualTo("java.util.concurrent.SynchronousQueue.poll");
        assertThat(thread.server()).isEqualTo(HttpServerKind.TOMCAT);
        assertThat(thread.springBoot()).isTrue();
    }

    @Test
    void tellsAPollerFromAWorker() {
        assertThat(seen(Thread.State.RUNNABLE, "sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select")
                        .occupation())
                .isEqualTo(Occupation.SELECTING);
    }

    @Test
    void takesARunnableThreadInASocketReadAsWaiting() {
        assertThat(seen(
                                Thread.State.RUNNABLE,
                                "sun.nio.ch.Net.poll",
                                "sun.nio.ch.NioSocketImpl.park",
                                "shop.Client.get")
                        .activity())
                .isEqualTo(Activity.IO);
    }

    @Test
    void tellsSleepingLocksAndRunningApart() {
        assertThat(waiting("java.lang.Thread.sleepNanos0", "java.lang.Thread.sleep", "shop.A.b")
                        .activity())
                .isEqualTo(Activity.SLEEPING);
        assertThat(waiting(
                                "jdk.internal.misc.Unsafe.park",
                                "java.util.concurrent.locks.ReentrantLock$Sync.lock",
                                "shop.A.b")
                        .activity())
                .isEqualTo(Activity.LOCK);
        assertThat(seen(Thread.State.BLOCKED, "shop.A.b").activity()).isEqualTo(Activity.LOCK);
        assertThat(seen(Thread.State.RUNNABLE, "shop.A.b").activity()).isEqualTo(Activity.RUNNING);
        assertThat(waiting("java.lang.Object.wait0", "java.util.concurrent.CompletableFuture.get", "shop.A.b")
                        .activity())
                .isEqualTo(Activity.WAITING);
    }

    @Test
    void leavesOutTheThreadsOfTheManagementInterface() {
        assertThat(SeenThread.of(
                        "RMI TCP Connection(1)",
                        Thread.State.RUNNABLE,
                        stack("sun.nio.ch.Net.poll", "sun.rmi.transport.tcp.TCPTransport.handleMessages")))
                .isEmpty();
        assertThat(SeenThread.of("Signal Dispatcher", Thread.State.RUNNABLE, stack()))
                .isEmpty();
    }

    private static SeenThread waiting(String... frames) {
        return seen(Thread.State.WAITING, frames);
    }

    private static SeenThread seen(Thread.State state, String... frames) {
        return SeenThread.of("worker-1", state, stack(frames)).orElseThrow();
    }

    static StackTraceElement[] stack(String... frames) {
        return Arrays.stream(frames)
                .map(frame -> new StackTraceElement(
                        frame.substring(0, frame.lastIndexOf('.')),
                        frame.substring(frame.lastIndexOf('.') + 1),
                        "Source.java",
                        7))
                .toArray(StackTraceElement[]::new);
    }
}
