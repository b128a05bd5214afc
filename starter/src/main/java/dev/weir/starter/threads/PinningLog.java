package dev.weir.starter.threads;

import dev.weir.core.time.NanoClock;
import dev.weir.core.watch.Pin;
import dev.weir.core.watch.PinningListener;
import dev.weir.core.watch.PinningSettings;
import dev.weir.core.watch.PinningWatch;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the watch for the time of the application and logs the stack of each place once, a few of them at once and the others
 * later: a service that pins does so at many places in its first seconds, and the worst of them come again.
 */
final class PinningLog implements AutoCloseable {

    /** Stacks that are logged within a {@link #SPAN}. */
    static final int MOST_STACKS = 5;

    static final Duration SPAN = Duration.ofMinutes(1);

    /** Frames of a stack, the blocking one first. */
    static final int MOST_FRAMES = 20;

    private static final Logger log = LoggerFactory.getLogger(PinningLog.class);

    private final @Nullable PinningWatch watch;
    private final @Nullable String problem;

    private PinningLog(@Nullable PinningWatch watch, @Nullable String problem) {
        this.watch = watch;
        this.problem = problem;
    }

    /** A log that watches nothing. */
    static PinningLog off() {
        return new PinningLog(null, null);
    }

    /** Begins to watch. Where this JVM cannot, the application still starts and {@link #problem} says why. */
    static PinningLog start(PinningSettings settings) {
        try {
            var watch = new PinningWatch(settings, new Stacks(NanoClock.system()));
            watch.start();
            return new PinningLog(watch, null);
        } catch (IllegalStateException | SecurityException | LinkageError e) {
            return new PinningLog(null, "Pinning is not watched: " + e.getMessage() + ".");
        }
    }

    /** The watch, while there is one. */
    @Nullable
    PinningWatch watch() {
        return watch;
    }

    /** Why there is none although it was asked for, a whole sentence. */
    @Nullable
    String problem() {
        return problem;
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }

    /** Logs; called by the watch's one thread. Holds as many places as the watch keeps. */
    static final class Stacks implements PinningListener {
        private final NanoClock clock;
        private final Set<String> waiting = new HashSet<>();
        private long spanNanos;
        private int logged;

        Stacks(NanoClock clock) {
            this.clock = clock;
            this.spanNanos = clock.nanoTime();
        }

        @Override
        public void pinned(Pin pin, boolean firstAtItsSite) {
            if (firstAtItsSite) {
                waiting.add(pin.site());
            }
            if (waiting.contains(pin.site()) && mayLog()) {
                waiting.remove(pin.site());
                log.warn("{}", describe(pin, waiting.size()));
            }
        }

        private boolean mayLog() {
            if (clock.nanoTime() - spanNanos >= SPAN.toNanos()) {
                spanNanos = clock.nanoTime();
                logged = 0;
            }
            return logged++ < MOST_STACKS;
        }

        private static String describe(Pin pin, int others) {
            String reason = pin.reason().isEmpty() ? "" : " (" + pin.reason() + ")";
            String more = others == 0 ? "" : " " + others + " places found before wait to be logged, some each minute.";
            return "A virtual thread blocked for " + pin.duration().toMillis() + " ms and kept its carrier" + reason
                    + ", at " + pin.site() + "; further pins there are only counted." + more + " Its stack:\n    "
                    + stack(pin.stack());
        }

        private static String stack(List<String> frames) {
            String first = String.join("\n    ", frames.subList(0, Math.min(frames.size(), MOST_FRAMES)));
            int left = frames.size() - MOST_FRAMES;
            return left > 0 ? first + "\n    ... and " + left + " more frames" : first;
        }
    }
}
