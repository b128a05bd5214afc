package dev.weir.core.watch;

import java.util.Locale;

/**
 * One line for the log.
 *
 * @param what which statement, command, address, request or type, without its values
 * @param measure nanoseconds or a count, as the offence has it
 * @param limit what it exceeded, in the same unit
 * @param suppressed how many lines about the same were not written since the last one
 * @param request which request, without its variables
 * @param status of the answer
 * @param budget the request's whole budget
 */
record OffenceReport(
        Offence offence,
        String what,
        long measure,
        long limit,
        long suppressed,
        String request,
        int status,
        String budget) {

    private static final double NANOS_A_MILLI = 1e6;

    /** As {@code key=value} with a blank between two. */
    String line() {
        return "weir.watch %s=%s limit=%s what=\"%s\" suppressed=%d request=\"%s\" status=%d %s"
                .formatted(
                        offence.label(),
                        text(measure),
                        text(limit),
                        what.replace('"', '\''),
                        suppressed,
                        request,
                        status,
                        budget);
    }

    private String text(long value) {
        return switch (offence) {
            case REQUEST, REMOTE, REDIS, SQL -> String.format(Locale.ROOT, "%.1fms", value / NANOS_A_MILLI);
            case SAME_QUERY, BEANS, EXCEPTIONS, THREADS, LOG -> Long.toString(value);
        };
    }
}
