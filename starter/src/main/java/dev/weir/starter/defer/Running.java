package dev.weir.starter.defer;

import dev.weir.core.publish.Event;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The deferred call that a thread runs. */
final class Running {

    private static final ThreadLocal<@Nullable Running> CURRENT = new ThreadLocal<>();

    private final Event event;
    private boolean entered;

    private Running(Event event) {
        this.event = event;
    }

    /** What may fail in its own way. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    static void run(Event event, Work work) throws Exception {
        Running before = CURRENT.get();
        CURRENT.set(new Running(event));
        try {
            work.run();
        } finally {
            restore(before);
        }
    }

    private static void restore(@Nullable Running before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** Whether the call at hand is the deferred one itself; true once, since what the method calls in turn is deferred again. */
    static boolean enter(String name) {
        Running running = CURRENT.get();
        if (running == null || running.entered || !running.event.topic().equals(name)) {
            return false;
        }
        running.entered = true;
        return true;
    }

    static Optional<UUID> eventId() {
        Running running = CURRENT.get();
        return running == null ? Optional.empty() : Optional.ofNullable(running.event.id());
    }
}
