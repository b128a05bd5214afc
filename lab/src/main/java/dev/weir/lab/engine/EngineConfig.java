package dev.weir.lab.engine;

import dev.weir.lab.plan.RequestSource;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link LoadEngine} reaches the service. Checked when made.
 *
 * @param address where to connect, resolved
 * @param tls how to secure the connections; null for plain ones
 * @param threads engine threads; at least 1
 * @param connections connections kept open, split evenly over the threads; at least as many as threads
 * @param connectTimeout for making a connection, the TLS handshake included
 * @param requestTimeout from sending a request to the end of its response
 * @param drain how long after the end of a schedule requests that are due are still sent and answers awaited; 0 for not
 *     at all. What is open after it counts as unfinished
 * @param maxHeaderBytes longest header of a response
 * @param maxBodyBytes longest body of a response
 * @param keepAlive whether a connection is used again; if not it is closed after each response
 * @param requests makes each thread's requests
 */
public record EngineConfig(
        InetSocketAddress address,
        @Nullable Tls tls,
        int threads,
        int connections,
        Duration connectTimeout,
        Duration requestTimeout,
        Duration drain,
        int maxHeaderBytes,
        long maxBodyBytes,
        boolean keepAlive,
        RequestSource.Factory requests) {

    public EngineConfig {
        require(!address.isUnresolved(), "address " + address + " is not resolved; resolve the host first");
        require(threads >= 1, "threads is " + threads + "; at least 1 is needed");
        require(
                connections >= threads,
                "connections is " + connections + " with " + threads
                        + " threads; each thread needs a connection: use more connections or fewer threads");
        require(positive(connectTimeout), "connect time-out is " + connectTimeout + "; it must be above 0");
        require(positive(requestTimeout), "request time-out is " + requestTimeout + "; it must be above 0");
        require(!drain.isNegative(), "drain is " + drain + "; it must be 0 or above");
        require(maxHeaderBytes >= 64, "header limit is " + maxHeaderBytes + " bytes; it must be 64 or above");
        require(maxBodyBytes >= 0, "body limit is " + maxBodyBytes + " bytes; it must be 0 or above");
    }

    /**
     * A plain HTTP service with usual bounds: one thread, connect time-out 5 s, request time-out and drain 10 s, headers
     * up to 64 KiB, bodies up to 1 GiB, keep-alive.
     */
    public static EngineConfig of(InetSocketAddress address, int connections, RequestSource.Factory requests) {
        Duration answer = Duration.ofSeconds(10);
        return new EngineConfig(
                address,
                null,
                1,
                connections,
                Duration.ofSeconds(5),
                answer,
                answer,
                1 << 16,
                1L << 30,
                true,
                requests);
    }

    /** The same over TLS. */
    public EngineConfig withTls(@Nullable Tls other) {
        return new EngineConfig(
                address,
                other,
                threads,
                connections,
                connectTimeout,
                requestTimeout,
                drain,
                maxHeaderBytes,
                maxBodyBytes,
                keepAlive,
                requests);
    }

    /** The same with another number of threads. */
    public EngineConfig withThreads(int other) {
        return new EngineConfig(
                address,
                tls,
                other,
                connections,
                connectTimeout,
                requestTimeout,
                drain,
                maxHeaderBytes,
                maxBodyBytes,
                keepAlive,
                requests);
    }

    /** The same with other time-outs. */
    public EngineConfig withTimeouts(Duration connect, Duration request, Duration afterwards) {
        return new EngineConfig(
                address,
                tls,
                threads,
                connections,
                connect,
                request,
                afterwards,
                maxHeaderBytes,
                maxBodyBytes,
                keepAlive,
                requests);
    }

    /** The same with other limits on responses. */
    public EngineConfig withLimits(int headerBytes, long bodyBytes) {
        return new EngineConfig(
                address,
                tls,
                threads,
                connections,
                connectTimeout,
                requestTimeout,
                drain,
                headerBytes,
                bodyBytes,
                keepAlive,
                requests);
    }

    /** The same with or without keep-alive. */
    public EngineConfig withKeepAlive(boolean other) {
        return new EngineConfig(
                address,
                tls,
                threads,
                connections,
                connectTimeout,
                requestTimeout,
                drain,
                maxHeaderBytes,
                maxBodyBytes,
                other,
                requests);
    }

    private static boolean positive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
