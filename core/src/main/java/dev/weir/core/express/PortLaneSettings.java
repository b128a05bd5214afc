package dev.weir.core.express;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How the port lane runs.
 *
 * @param pollers threads that wait for connections and answer, 1 to 64; connections are dealt to them in turn
 * @param harmlessHeaders further request headers that change no answer, by name; requests with them stay in the lane
 * @param largestAnswerBytes answers with a head and body beyond this go to the filter lane; 1 KiB to 16 MiB
 * @param accessLog whether answers are written to Tomcat's access log where there is one
 * @param drain how long a stop waits for clients that are slow to take the rest of an answer; zero or more
 */
public record PortLaneSettings(
        int pollers, List<String> harmlessHeaders, int largestAnswerBytes, boolean accessLog, Duration drain) {

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final List<String> NEVER_HARMLESS = List.of(
            "authorization",
            "cookie",
            "content-length",
            "transfer-encoding",
            "expect",
            "upgrade",
            "te",
            "range",
            "if-range",
            "host",
            "connection",
            "accept",
            "accept-encoding",
            "if-none-match",
            "http2-settings",
            "trailer",
            "keep-alive");

    public PortLaneSettings {
        harmlessHeaders = List.copyOf(harmlessHeaders);
        check(pollers >= 1 && pollers <= 64, "pollers is " + pollers + "; give 1 to 64, such as half the processors");
        check(
                largestAnswerBytes >= 1024 && largestAnswerBytes <= 16 << 20,
                "the largest answer is " + largestAnswerBytes + " bytes; give 1 KiB to 16 MiB");
        check(!drain.isNegative(), "drain is " + drain + "; give zero or more");
        for (String header : harmlessHeaders) {
            check(HEADER.matcher(header).matches(), "'" + header + "' is not the name of a header");
            check(
                    NEVER_HARMLESS.stream().noneMatch(header::equalsIgnoreCase),
                    "the header " + header + " changes the answer or the connection and cannot be called harmless");
        }
    }

    /** One poller for every two processors, answers up to 64 KiB, the access log kept, 5 s to drain. */
    public static PortLaneSettings defaults() {
        int pollers = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 16);
        return new PortLaneSettings(pollers, List.of(), 64 << 10, true, Duration.ofSeconds(5));
    }

    private static void check(boolean fits, String problem) {
        if (!fits) {
            throw new IllegalArgumentException("Port lane: " + problem + ".");
        }
    }
}
