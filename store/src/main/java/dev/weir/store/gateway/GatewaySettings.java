package dev.weir.store.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The gateway; checked once, and completely only where it is on.
 *
 * @param enabled whether the gateway is there at all
 * @param kafka settings of Kafka's clients by Kafka's names; bootstrap.servers is required
 * @param topic where accepted messages go; made where it is missing
 * @param partitions of the topic when it is made, 1 to 1,000
 * @param providerPerSecond what the provider takes from all instances together, 1 to 1,000,000
 * @param maxWait a message expected to wait longer is not accepted, 1 s to 1 d
 * @param maxInFlight calls of the provider at once, 1 to 100,000
 * @param readAhead messages an instance holds in memory, 1,000 to 10,000,000
 * @param attempts how often the provider may fail on one message while it takes others, 1 to 1,000
 * @param retryBackoff pause after the first failure, 1 ms to maxRetryBackoff; doubled each time
 * @param maxRetryBackoff longest pause, at most 1 h
 * @param keep how long a message that has ended can be asked for, at least 1 min
 * @param resendAfter a message that has not ended by then is put into Kafka again, at least 1 min
 * @param clients what one client may
 * @param callbacks what clients are told by webhook
 */
@ConfigurationProperties("store.gateway")
record GatewaySettings(
        boolean enabled,
        @Nullable Map<String, String> kafka,
        String topic,
        int partitions,
        double providerPerSecond,
        Duration maxWait,
        int maxInFlight,
        int readAhead,
        int attempts,
        Duration retryBackoff,
        Duration maxRetryBackoff,
        Duration keep,
        Duration resendAfter,
        Clients clients,
        Callbacks callbacks) {

    private static final String PREFIX = "store.gateway.";
    private static final Duration LEAST_KEPT = Duration.ofMinutes(1);
    private static final int LEAST_SECRET_CHARS = 24;

    /**
     * What one client may.
     *
     * @param perSecond messages a second it may hand in at each instance, above 0
     * @param burst and at once after a pause, at each instance, 1 or more
     * @param maxQueued messages of it that may wait, 1 or more
     */
    record Clients(double perSecond, int burst, long maxQueued) {

        Clients {
            check(perSecond > 0 && perSecond <= 1e6, "clients.per-second", perSecond, "above 0 to 1000000");
            check(burst >= 1, "clients.burst", burst, "1 or more");
            check(maxQueued >= 1, "clients.max-queued", maxQueued, "1 or more");
        }
    }

    /**
     * Webhooks.
     *
     * @param allowedOrigins where callbacks may go, such as https://hooks.example.com; nowhere where it is empty
     * @param allowedNetworks networks that are not public to which the names in these origins may lead, such as 10.1.0.0/16; none where it
     *     is empty
     * @param secret the key that each client's own key is made of, at least 24 characters; needed where origins are allowed
     * @param attempts before a callback is parked, 1 to 1,000
     * @param timeout of one call, 100 ms to 30 s
     * @param retryBackoff pause after the first failure, 1 ms to maxRetryBackoff; doubled each time
     * @param maxRetryBackoff longest pause, at most 1 d
     */
    record Callbacks(
            @Nullable List<String> allowedOrigins,
            @Nullable List<String> allowedNetworks,
            @Nullable String secret,
            int attempts,
            Duration timeout,
            Duration retryBackoff,
            Duration maxRetryBackoff) {

        Callbacks {
            allowedOrigins = allowedOrigins == null ? List.of() : List.copyOf(allowedOrigins);
            allowedNetworks = allowedNetworks == null ? List.of() : List.copyOf(allowedNetworks);
            allowedNetworks.forEach(Callbacks::network);
            check(attempts >= 1 && attempts <= 1_000, "callbacks.attempts", attempts, "1 to 1000");
            between("callbacks.timeout", timeout, Duration.ofMillis(100), Duration.ofSeconds(30));
            between("callbacks.max-retry-backoff", maxRetryBackoff, Duration.ofMillis(1), Duration.ofDays(1));
            between("callbacks.retry-backoff", retryBackoff, Duration.ofMillis(1), maxRetryBackoff);
            if (!allowedOrigins.isEmpty() && (secret == null || secret.length() < LEAST_SECRET_CHARS)) {
                throw new IllegalArgumentException(PREFIX + "callbacks.secret has "
                        + (secret == null ? 0 : secret.length())
                        + " characters: callbacks are signed with it, give at least 24 random ones.");
            }
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "Callbacks[allowedOrigins=" + allowedOrigins + ", allowedNetworks=" + allowedNetworks + ", attempts="
                    + attempts + ", timeout=" + timeout + ", retryBackoff=" + retryBackoff + ", maxRetryBackoff="
                    + maxRetryBackoff + "]";
        }

        /** The origins, which the constructor has made complete. */
        List<String> origins() {
            return allowedOrigins == null ? List.of() : allowedOrigins;
        }

        /** The networks, which the constructor has checked. */
        List<Network> networks() {
            return allowedNetworks == null
                    ? List.of()
                    : allowedNetworks.stream().map(Callbacks::network).toList();
        }

        private static Network network(String text) {
            return Network.parse(text)
                    .orElseThrow(() -> new IllegalArgumentException(PREFIX + "callbacks.allowed-networks has '" + text
                            + "': give an address and the number of its first bits that count, such as 10.1.0.0/16."));
        }

        String key() {
            return secret == null ? "" : secret;
        }
    }

    GatewaySettings {
        kafka = kafka == null ? Map.of() : Map.copyOf(kafka);
        if (enabled && !kafka.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException(
                    PREFIX + "kafka.bootstrap.servers is missing: the gateway needs Kafka, give"
                            + " its address, such as --store.gateway.kafka.bootstrap.servers=127.0.0.1:9092.");
        }
        check(topic.matches("[A-Za-z0-9._-]{1,200}"), "topic", topic, "1 to 200 letters, digits, dots, _ or -");
        check(partitions >= 1 && partitions <= 1_000, "partitions", partitions, "1 to 1000");
        check(
                providerPerSecond >= 1 && providerPerSecond <= 1e6,
                "provider-per-second",
                providerPerSecond,
                "1 to 1000000");
        between("max-wait", maxWait, Duration.ofSeconds(1), Duration.ofDays(1));
        check(maxInFlight >= 1 && maxInFlight <= 100_000, "max-in-flight", maxInFlight, "1 to 100000");
        check(readAhead >= 1_000 && readAhead <= 10_000_000, "read-ahead", readAhead, "1000 to 10000000");
        check(attempts >= 1 && attempts <= 1_000, "attempts", attempts, "1 to 1000");
        between("max-retry-backoff", maxRetryBackoff, Duration.ofMillis(1), Duration.ofHours(1));
        between("retry-backoff", retryBackoff, Duration.ofMillis(1), maxRetryBackoff);
        check(keep.compareTo(LEAST_KEPT) >= 0, "keep", keep, "1m or more");
        check(resendAfter.compareTo(LEAST_KEPT) >= 0, "resend-after", resendAfter, "1m or more");
    }

    /** Kafka's client settings, which the constructor has made complete. */
    Map<String, String> client() {
        return kafka == null ? Map.of() : kafka;
    }

    private static void between(String name, Duration given, Duration least, Duration most) {
        check(
                given.compareTo(least) >= 0 && given.compareTo(most) <= 0,
                name,
                given.toMillis() + "ms",
                least.toMillis() + "ms to " + most.toMillis() + "ms");
    }

    private static void check(boolean right, String name, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(PREFIX + name + " is " + given + ": give " + allowed + ".");
        }
    }
}
