package dev.weir.starter.threads;

import dev.weir.core.watch.Pin;
import dev.weir.core.watch.PinningSettings;
import dev.weir.core.watch.PinningWatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the watch for the time of the application and logs the stack of each place once. */
final class PinningLog implements AutoCloseable {

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
            var watch = new PinningWatch(settings, (pin, first) -> {
                if (first) {
                    log.warn("{}", describe(pin));
                }
            });
            watch.start();
            return new PinningLog(watch, null);
        } catch (IllegalStateException | SecurityException | LinkageError e) {
            return new PinningLog(null, "Pinning is not watched: " + e.getMessage() + ".");
        }
    }

    static String describe(Pin pin) {
        String reason = pin.reason().isEmpty() ? "" : " (" + pin.reason() + ")";
        return "A virtual thread blocked for " + pin.duration().toMillis() + " ms and kept its carrier" + reason
                + ", at "
                + pin.site() + "; further pins there are only counted. Its stack:\n    "
                + String.join("\n    ", pin.stack());
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
}
