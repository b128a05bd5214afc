package dev.weir.lab.engine;

import java.net.InetSocketAddress;
import java.time.Duration;

/** What one connection and one request to a service came to. */
public sealed interface ProbeResult {

    /** The problem as the end of a sentence that began with the service's name; empty where there is none. */
    String problem();

    /**
     * A whole HTTP response came.
     *
     * @param address the address that answered, for {@link EngineConfig#address}
     * @param status of the response, whatever it is
     * @param took from the first attempt to connect to the end of the response
     */
    record Answered(InetSocketAddress address, int status, Duration took) implements ProbeResult {
        @Override
        public String problem() {
            return "";
        }
    }

    /** The host's name does not resolve. */
    record Unresolved(String host) implements ProbeResult {
        @Override
        public String problem() {
            return "does not resolve: no address is known for " + host;
        }
    }

    /** No address of the host accepts a connection. */
    record Unreachable(InetSocketAddress address, String reason) implements ProbeResult {
        @Override
        public String problem() {
            return "does not accept a connection at " + address.getAddress().getHostAddress() + " port "
                    + address.getPort() + ": " + reason;
        }
    }

    /** The TLS handshake failed; the reason names the certificate's fault where it was that. */
    record TlsFailed(String reason) implements ProbeResult {
        @Override
        public String problem() {
            return "fails the TLS handshake: " + reason;
        }
    }

    /** What came back is not an HTTP/1.1 response, or exceeds the limits. */
    record NotHttp(String reason) implements ProbeResult {
        @Override
        public String problem() {
            return "sends no valid HTTP/1.1 response: " + reason;
        }
    }

    /** The connection was closed before a whole response had come. */
    record ClosedEarly(String reason) implements ProbeResult {
        @Override
        public String problem() {
            return "closes the connection without a whole response: " + reason;
        }
    }

    /** No whole response came in time. */
    record NoAnswer(Duration waited) implements ProbeResult {
        @Override
        public String problem() {
            return "has not answered within " + waited.toMillis() + " ms";
        }
    }
}
