package dev.weir.core.watch;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees in production where virtual threads keep their carriers while they block.
 *
 * <p>The JVM itself reports each pin longer than the threshold as the event {@code jdk.VirtualThreadPinned}, with the
 * blocking stack; a stream of the JDK's flight recorder with this one event brings them here about once a second, on a
 * thread of its own. Nothing is added to the code that blocks: below the threshold a pin costs two readings of a clock.
 * The recorder needs some megabytes of memory and a folder for temporary files, which the JVM removes at its end.
 *
 * <p>One stream a watch; {@link #start} once, {@link #close} ends it. Any thread may call any method.
 */
public final class PinningWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PinningWatch.class);
    private static final String EVENT = "jdk.VirtualThreadPinned";
    private static final String REASON = "pinnedReason";

    private final PinningSettings settings;
    private final PinningListener listener;
    private final PinnedSites sites;
    private final RecordingStream stream;
    private final AtomicBoolean listenerFailed = new AtomicBoolean();

    /**
     * Opens the stream; nothing is seen before {@link #start}.
     *
     * @throws IllegalStateException when this JVM has no flight recorder, or it is switched off
     */
    public PinningWatch(PinningSettings settings, PinningListener listener) {
        if (!FlightRecorder.isAvailable()) {
            throw new IllegalStateException("this JVM's flight recorder is switched off");
        }
        this.settings = settings;
        this.listener = listener;
        this.sites = new PinnedSites(settings.maxSites());
        this.stream = new RecordingStream();
    }

    /** Begins to watch; returns when the event is enabled. Blocks for some hundred milliseconds, the recorder's own start. */
    public void start() {
        stream.enable(EVENT).withThreshold(settings.threshold()).withStackTrace();
        // The event object is reused, and what is kept of it is copied.
        stream.setReuse(true);
        stream.onEvent(EVENT, this::pinned);
        stream.startAsync();
    }

    /** How many pins were seen. */
    public long count() {
        return sites.count();
    }

    /** How long carriers were kept, all pins together. */
    public Duration total() {
        return sites.total();
    }

    /** The places kept, the one with the longest time first. */
    public List<PinnedSite> sites() {
        return sites.worstFirst();
    }

    /** Ends the stream; what was counted stays readable. */
    @Override
    public void close() {
        stream.close();
    }

    private void pinned(RecordedEvent event) {
        Pin pin = new Pin(event.getDuration(), reason(event), stack(event));
        boolean first = sites.add(pin);
        try {
            listener.pinned(pin, first);
        } catch (RuntimeException e) {
            if (listenerFailed.compareAndSet(false, true)) {
                log.warn("The listener of the pinning watch failed; later failures are not logged.", e);
            }
        }
    }

    private static String reason(RecordedEvent event) {
        return event.hasField(REASON) ? Objects.requireNonNullElse(event.getString(REASON), "") : "";
    }

    private static List<String> stack(RecordedEvent event) {
        return event.getStackTrace() == null
                ? List.of()
                : event.getStackTrace().getFrames().stream()
                        .map(PinningWatch::frame)
                        .toList();
    }

    private static String frame(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        return method.getType().getName() + "." + method.getName() + ":" + frame.getLineNumber();
    }
}
