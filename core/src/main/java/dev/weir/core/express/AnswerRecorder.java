package dev.weir.core.express;

/** Hears of every answer of a route, for meters of the service's own. */
@FunctionalInterface
public interface AnswerRecorder {

    /**
     * Called after an answer by the thread that gave it, Tomcat's poller among them: it must not block, and should take well
     * under a microsecond. One that throws is not called again.
     *
     * @param head whether it was a HEAD, otherwise a GET
     * @param status 200, 304 or 406
     * @param tookNanos as in {@link RouteCounts#nanos}
     */
    void answered(Lane lane, boolean head, int status, long tookNanos);
}
