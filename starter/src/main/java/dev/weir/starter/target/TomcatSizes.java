package dev.weir.starter.target;

import dev.weir.core.size.ServerSize;
import dev.weir.core.time.DurationText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Tomcat's six settings for a target, each with its arithmetic. */
final class TomcatSizes {

    private static final String PREFIX = "server.tomcat.";
    /** As long as a client may take for its request: it holds a connection meanwhile. */
    private static final String CONNECTION_TIMEOUT = "5s";
    /** Long enough that a client that comes again finds its connection open. */
    private static final String KEEP_ALIVE_TIMEOUT = "30s";

    /**
     * One setting.
     *
     * @param value as it is configured
     * @param formula how it comes about, with its inputs
     */
    record Size(String value, String formula) {}

    private TomcatSizes() {}

    /** By the whole name of the setting, in the order to show them. */
    static Map<String, Size> of(TargetProperties target) {
        ServerSize size = target.size();
        String rate = number(target.ratePerSecond()) + "/s";
        String headroom = "x " + number(target.headroom()) + " headroom";
        Map<String, Size> sizes = new LinkedHashMap<>();
        sizes.put(
                PREFIX + "threads.max",
                new Size(
                        Integer.toString(size.threads()),
                        "%s x %s = %s busy, %s"
                                .formatted(
                                        rate,
                                        DurationText.of(target.meanLatency()),
                                        number(size.busyThreads()),
                                        headroom)));
        sizes.put(
                PREFIX + "threads.min-spare",
                new Size(
                        Integer.toString(size.spareThreads()),
                        "threads / %d, at least %d"
                                .formatted(ServerSize.THREADS_PER_SPARE, ServerSize.LEAST_SPARE_THREADS)));
        sizes.put(
                PREFIX + "max-connections",
                new Size(
                        Integer.toString(size.maxConnections()),
                        "%s x %s between two requests = %d open, %s, at least %d"
                                .formatted(
                                        rate,
                                        DurationText.of(
                                                target.reuseInterval().compareTo(target.meanLatency()) > 0
                                                        ? target.reuseInterval()
                                                        : target.meanLatency()),
                                        size.clientConnections(),
                                        headroom,
                                        ServerSize.LEAST_MAX_CONNECTIONS)));
        sizes.put(
                PREFIX + "accept-count",
                new Size(
                        Integer.toString(size.acceptCount()),
                        "%s x %s s of burst, at least %d"
                                .formatted(rate, number(ServerSize.BURST_SECONDS), ServerSize.LEAST_ACCEPT_COUNT)));
        sizes.put(
                PREFIX + "connection-timeout",
                new Size(CONNECTION_TIMEOUT, "a slow client holds a connection no longer"));
        sizes.put(
                PREFIX + "keep-alive-timeout",
                new Size(KEEP_ALIVE_TIMEOUT, "clients that come again find their connection open"));
        return sizes;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value).replaceFirst("\\.?0+$", "");
    }
}
