package dev.weir.lab.collect;

import java.util.List;

/** What stack frames tell, by the classes and methods of the JDK and of well-known servers and pools. */
final class Frames {
    /** Where a thread of a pool waits for its next task. */
    private static final List<String> IDLE = List.of(
            "java.util.concurrent.ThreadPoolExecutor.getTask",
            "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask",
            "java.util.concurrent.ForkJoinPool.awaitWork",
            "org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll",
            "org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll",
            "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait",
            "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.park",
            "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.waitForTask",
            "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
            "java.util.TimerThread.mainLoop");

    /** Where a thread waits for any of many connections. */
    private static final List<String> SELECTING = List.of(
            "sun.nio.ch.EPoll.wait",
            "sun.nio.ch.KQueue.poll",
            "sun.nio.ch.SelectorImpl.select",
            "sun.nio.ch.Net.accept",
            "io.netty.channel.epoll.Native.epollWait",
            "io.netty.channel.kqueue.Native.keventWait",
            "java.net.ServerSocket.accept");

    private static final List<String> QUEUES = List.of(
            "java.util.concurrent.LinkedBlockingQueue.",
            "java.util.concurrent.LinkedBlockingDeque.",
            "java.util.concurrent.ArrayBlockingQueue.",
            "java.util.concurrent.LinkedTransferQueue.",
            "java.util.concurrent.PriorityBlockingQueue.",
            "java.util.concurrent.DelayQueue.",
            "java.util.concurrent.SynchronousQueue.");

    private static final List<String> POOLED = List.of(
            "java.util.concurrent.ThreadPoolExecutor$Worker.run",
            "org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker.run",
            "java.util.concurrent.ForkJoinWorkerThread.run",
            "org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run",
            "org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run",
            "io.netty.util.concurrent.SingleThreadEventExecutor");

    private static final List<String> MANAGEMENT =
            List.of("sun.rmi.", "javax.management.", "com.sun.jmx.", "sun.management.", "com.sun.management.");

    private static final List<String> CARRIER =
            List.of("java.lang.VirtualThread.runContinuation", "jdk.internal.vm.Continuation.run");

    private static final List<String> CONNECTION_POOLS = List.of(
            "com.zaxxer.hikari.util.ConcurrentBag.borrow",
            "com.zaxxer.hikari.pool.HikariPool.getConnection",
            "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection",
            "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject",
            "org.apache.commons.dbcp2.PoolingDataSource.getConnection",
            "io.agroal.pool.ConnectionPool.",
            "com.mchange.v2.resourcepool.BasicResourcePool.",
            "org.apache.http.pool.AbstractConnPool.",
            "org.apache.hc.core5.pool.StrictConnPool.",
            "org.apache.hc.core5.pool.LaxConnPool.");

    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantReadWriteLock",
            "java.util.concurrent.locks.StampedLock",
            "java.util.concurrent.Semaphore.");

    /** Native methods a thread counts as running in, though it waits for bytes. */
    private static final List<String> BLOCKING_IO = List.of(
            "sun.nio.ch.Net.poll",
            "sun.nio.ch.Net.connect",
            "sun.nio.ch.Net.pollConnect",
            "sun.nio.ch.SocketDispatcher.read0",
            "sun.nio.ch.SocketDispatcher.readv0",
            "sun.nio.ch.UnixFileDispatcherImpl.read0",
            "sun.nio.ch.UnixFileDispatcherImpl.force0",
            "sun.nio.ch.FileDispatcherImpl.read0",
            "java.net.SocketInputStream.socketRead0",
            "java.io.FileInputStream.readBytes",
            "java.net.Inet4AddressImpl.",
            "java.net.Inet6AddressImpl.");

    private static final List<String> PLUMBING = List.of(
            "jdk.internal.",
            "sun.",
            "java.lang.Object.wait",
            "java.util.concurrent.locks.",
            "java.lang.Thread.sleep0",
            "java.lang.Thread.sleepNanos");

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private static final List<String> LIBRARIES = List.of(
            "jakarta.",
            "org.springframework.",
            "org.apache.",
            "org.eclipse.jetty.",
            "io.undertow.",
            "org.jboss.",
            "org.xnio.",
            "io.netty.",
            "io.vertx.",
            "io.helidon.",
            "reactor.",
            "com.zaxxer.",
            "org.postgresql.",
            "com.mysql.",
            "org.mariadb.",
            "oracle.",
            "org.hibernate.",
            "io.lettuce.",
            "redis.clients.",
            "com.fasterxml.",
            "tools.jackson.",
            "kotlin.",
            "kotlinx.",
            "scala.",
            "ch.qos.logback.",
            "org.slf4j.",
            "io.micrometer.",
            "org.glassfish.",
            "okhttp3.",
            "com.google.common.");

    private Frames() {}

    static String name(StackTraceElement frame) {
        return frame.getClassName() + "." + frame.getMethodName();
    }

    static boolean idle(StackTraceElement[] stack) {
        return any(stack, IDLE) || ownLoopOnQueue(stack);
    }

    /** A hand-written worker: a run method at the bottom of the stack that takes from a queue itself. */
    private static boolean ownLoopOnQueue(StackTraceElement[] stack) {
        int bottom = stack.length - 1;
        if (bottom < 2 || !name(stack[bottom]).startsWith("java.lang.Thread.run")) {
            return false;
        }
        int loop = name(stack[bottom - 1]).startsWith("java.lang.Thread.run") ? bottom - 2 : bottom - 1;
        return loop >= 1 && startsWithAny(name(stack[loop - 1]), QUEUES);
    }

    static boolean selecting(StackTraceElement[] stack) {
        return any(stack, SELECTING);
    }

    static boolean pooled(StackTraceElement[] stack) {
        return any(stack, POOLED);
    }

    static boolean management(StackTraceElement[] stack) {
        return any(stack, MANAGEMENT);
    }

    static boolean carrier(StackTraceElement[] stack) {
        return any(stack, CARRIER);
    }

    static boolean connectionPool(StackTraceElement[] stack) {
        return any(stack, CONNECTION_POOLS);
    }

    static boolean lock(StackTraceElement[] stack) {
        return any(stack, LOCKS);
    }

    static boolean sleeping(StackTraceElement[] stack) {
        return name(stack[0]).startsWith("java.lang.Thread.sleep");
    }

    static boolean blockingIo(StackTraceElement[] stack) {
        return startsWithAny(name(stack[0]), BLOCKING_IO);
    }

    /** The first frame that is neither the JDK's nor a library's; else the first that is not the JDK's; else the top. */
    static String own(StackTraceElement[] stack) {
        StackTraceElement foreign = stack[0];
        boolean foreignFound = false;
        for (StackTraceElement frame : stack) {
            boolean jdk = startsWithAny(frame.getClassName(), JDK);
            if (!jdk && !generated(frame) && !startsWithAny(frame.getClassName(), LIBRARIES)) {
                return place(frame);
            }
            if (!jdk && !foreignFound) {
                foreign = frame;
                foreignFound = true;
            }
        }
        return place(foreign);
    }

    /** The method a thread waits in, as its author wrote it: the JDK's inner workings left out. */
    static String through(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (!startsWithAny(name(frame), PLUMBING)) {
                return name(frame);
            }
        }
        return name(stack[0]);
    }

    private static boolean generated(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.contains("$$")
                || type.startsWith("$Proxy")
                || type.contains(".$Proxy")
                || frame.getLineNumber() < 0;
    }

    private static String place(StackTraceElement frame) {
        return frame.getLineNumber() > 0 ? name(frame) + ":" + frame.getLineNumber() : name(frame);
    }

    private static boolean any(StackTraceElement[] stack, List<String> prefixes) {
        for (StackTraceElement frame : stack) {
            if (startsWithAny(name(frame), prefixes)) {
                return true;
            }
        }
        return false;
    }

    static boolean startsWithAny(String text, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (text.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
