package dev.weir.lab.load;

import dev.weir.lab.measure.Measurement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes a run in the log format of HdrHistogram (version 1.3, histograms compressed as V2), which adds up exactly over
 * several generators: one interval for the whole run, in nanoseconds, for each of the tags {@code intended},
 * {@code sent} and {@code lag}.
 */
public final class HistogramLog {

    /** The log of a run that began at the given time. */
    public static String text(Measurement run, Instant startedAt) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter log = new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        log.outputComment("[Logged by weir load; values in nanoseconds]");
        log.outputLogFormatVersion();
        log.outputStartTime(startedAt.toEpochMilli());
        log.outputBaseTime(startedAt.toEpochMilli());
        log.outputLegend();
        write(log, "intended", run.fromIntended(), run.duration());
        write(log, "sent", run.fromSent(), run.duration());
        write(log, "lag", run.scheduleLag(), run.duration());
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void write(HistogramLogWriter log, String tag, Histogram nanos, Duration duration) {
        Histogram tagged = nanos.copy();
        tagged.setTag(tag);
        // The ratio of 1 keeps the log's column of maxima in nanoseconds as well.
        log.outputIntervalHistogram(0, duration.toNanos() / 1e9, tagged, 1.0);
    }

    private HistogramLog() {}
}
