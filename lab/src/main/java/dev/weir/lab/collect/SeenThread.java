package dev.weir.lab.collect;

import dev.weir.lab.collect.ServiceSample.Activity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one look at one thread tells.
 *
 * @param group its name with the numbers replaced by #, the same for all threads of a pool
 * @param activity what it does when busy
 * @param pooled whether the stack shows a pool's worker
 * @param server the server it handles a request for; null where the stack shows none, as far as it was read
 * @param springBoot whether the stack shows Spring
 */
record SeenThread(
        String group,
        Occupation occupation,
        Activity activity,
        String where,
        String through,
        boolean pooled,
        @Nullable HttpServerKind server,
        boolean springBoot) {

    /** Whether it works. */
    enum Occupation {
        /** Waits for its next task. */
        IDLE,
        /** Waits for any of many connections: an acceptor, a poller, an idle event loop. */
        SELECTING,
        /** Neither. */
        BUSY
    }

    /**
     * Reads a thread; empty for those of the JVM and of the management interface this look came through, and for one that
     * carries a virtual thread at the moment: it is busy with what is not to be seen here.
     */
    static Optional<SeenThread> of(String name, Thread.State state, StackTraceElement[] stack) {
        return stack.length == 0 || Frames.management(stack) || Frames.carrier(stack)
                ? Optional.empty()
                : Optional.of(new SeenThread(
                        group(name),
                        occupation(stack),
                        activity(state, stack),
                        Frames.own(stack),
                        Frames.through(stack),
                        Frames.pooled(stack),
                        HttpServerKind.of(stack),
                        springBoot(stack)));
    }

    static String group(String name) {
        return name.startsWith("qtp") ? "qtp#" : name.replaceAll("\\d+$", "#");
    }

    private static Occupation occupation(StackTraceElement[] stack) {
        if (Frames.idle(stack)) {
            return Occupation.IDLE;
        }
        return Frames.selecting(stack) ? Occupation.SELECTING : Occupation.BUSY;
    }

    private static Activity activity(Thread.State state, StackTraceElement[] stack) {
        return switch (state) {
            case BLOCKED -> Activity.LOCK;
            case RUNNABLE -> Frames.blockingIo(stack) ? Activity.IO : Activity.RUNNING;
            default -> waiting(stack);
        };
    }

    private static Activity waiting(StackTraceElement[] stack) {
        if (Frames.sleeping(stack)) {
            return Activity.SLEEPING;
        }
        if (Frames.connectionPool(stack)) {
            return Activity.CONNECTION_POOL;
        }
        return Frames.lock(stack) ? Activity.LOCK : Activity.WAITING;
    }

    private static boolean springBoot(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().startsWith("org.springframework.")) {
                return true;
            }
        }
        return false;
    }
}
