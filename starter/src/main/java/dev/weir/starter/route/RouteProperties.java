package dev.weir.starter.route;

import dev.weir.core.route.ReplicaPolicy;
import dev.weir.core.route.RouteConfig;
import dev.weir.core.route.SessionTokens;
import dev.weir.core.time.DurationText;
import dev.weir.starter.SettingException;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Routing of read-only transactions.
 *
 * @param enabled whether read-only transactions go to replicas
 * @param mode active, or dry-run: decides and counts, and reads from the primary
 * @param dataSource name of the bean whose connections are routed; it must be a HikariCP pool, which is the primary's
 * @param replicas the replicas by name; the name appears in metrics and messages
 * @param maxLag how old the state of a replica may be before it takes no more reads
 * @param maxLagBytes how much of the primary's log a replica may still have to replay before it takes no more reads
 * @param sampleInterval how often each server is asked for its role and position
 * @param sampleTimeout how long a server may take to answer that, the connecting included
 * @param ejectAfter failures in a row after which a replica takes no more reads
 * @param readmitAfter good samples in a row after which it takes reads again
 * @param slowStart over which time its share of the reads rises to the full one then
 * @param replayWait how long a reader waits for a replica to replay what its own session wrote before it reads from the primary
 * @param primaryWeight the primary's share of the reads in proportion to the replicas' weights; 0 keeps it for writes
 * @param selfCheck what to do when the check at start finds that read-only transactions do not reach the router: fail, warn or off
 * @param fallback reads that no replica can take
 * @param session how a session's position travels between requests
 */
@ConfigurationProperties(prefix = "weir.route", ignoreUnknownFields = false)
record RouteProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("active") Mode mode,
        @DefaultValue("dataSource") String dataSource,
        @DefaultValue Map<String, Replica> replicas,
        @DefaultValue("5s") Duration maxLag,
        @DefaultValue("16MB") DataSize maxLagBytes,
        @DefaultValue("100ms") Duration sampleInterval,
        @DefaultValue("2s") Duration sampleTimeout,
        @DefaultValue("2") int ejectAfter,
        @DefaultValue("3") int readmitAfter,
        @DefaultValue("10s") Duration slowStart,
        @DefaultValue("50ms") Duration replayWait,
        @DefaultValue("0") double primaryWeight,
        @DefaultValue("fail") SelfCheck selfCheck,
        @DefaultValue Fallback fallback,
        @DefaultValue Session session) {

    private static final int MOST_REPLICAS = 32;
    private static final double MOST_WEIGHT = 1e6;
    private static final Duration LONGEST_TOKEN = Duration.ofDays(365);
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    /** Whether decisions are followed. */
    public enum Mode {
        ACTIVE,
        DRY_RUN
    }

    /** What a failed check at start means. */
    public enum SelfCheck {
        FAIL,
        WARN,
        OFF
    }

    /**
     * One replica. What it does not set it takes from the primary.
     *
     * @param url JDBC URL of the standby
     * @param username the primary's if not set
     * @param password the primary's if not set
     * @param weight its share of the reads in proportion to the others
     * @param hikari settings of its pool by HikariCP's own names, over those of spring.datasource.hikari
     */
    public record Replica(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue("1") double weight,
            @DefaultValue Map<String, String> hikari) {

        @Override
        public String toString() {
            return "replica " + url;
        }
    }

    /**
     * Reads on the primary that belong on a replica.
     *
     * @param maxConcurrent how many may be there at once; 0 for none, then they fail
     * @param maxWait how long one waits for its place before it fails
     */
    public record Fallback(
            @DefaultValue("5") int maxConcurrent,
            @DefaultValue("100ms") Duration maxWait) {}

    /**
     * A session's position between requests.
     *
     * @param enabled whether web requests carry it
     * @param carrier what carries it to the client and back: a cookie or a header
     * @param cookie name of the cookie
     * @param header name of the header
     * @param key secret that signs tokens, at least 16 bytes, the same on all instances; made at start if not set
     * @param previousKeys secrets whose tokens are still accepted
     * @param maxAge how long a token counts; at least twice max-lag and as long as a replica may be late without being noticed, since every replica in service has replayed by then what is older
     */
    public record Session(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("cookie") Carrier carrier,
            @DefaultValue("weir-route") String cookie,
            @DefaultValue("Weir-Route") String header,
            @Nullable String key,
            @DefaultValue List<String> previousKeys,
            @DefaultValue("5m") Duration maxAge) {

        @Override
        public String toString() {
            return "session by " + carrier;
        }
    }

    /** What carries a token. */
    public enum Carrier {
        COOKIE,
        HEADER
    }

    RouteProperties {
        if (dataSource.isBlank()) {
            throw new SettingException(
                    "weir.route.data-source",
                    dataSource,
                    "the name of a bean",
                    "Name it, or remove it for dataSource.");
        }
        if (replicas.size() > MOST_REPLICAS) {
            throw new SettingException(
                    "weir.route.replicas", replicas.size() + " replicas", "at most " + MOST_REPLICAS, "Remove some.");
        }
        replicas.forEach(RouteProperties::check);
        check(
                session,
                config(
                        maxLagBytes,
                        maxLag,
                        sampleInterval,
                        sampleTimeout,
                        ejectAfter,
                        readmitAfter,
                        slowStart,
                        replayWait,
                        primaryWeight,
                        fallback,
                        mode));
    }

    /** The settings as the router takes them; its sentences say the name below ours. */
    private static RouteConfig config(
            DataSize maxLagBytes,
            Duration maxLag,
            Duration sampleInterval,
            Duration sampleTimeout,
            int ejectAfter,
            int readmitAfter,
            Duration slowStart,
            Duration replayWait,
            double primaryWeight,
            Fallback fallback,
            Mode mode) {
        try {
            return new RouteConfig(
                    new ReplicaPolicy(maxLagBytes.toBytes(), maxLag, ejectAfter, readmitAfter, slowStart),
                    sampleInterval,
                    sampleTimeout,
                    replayWait,
                    fallback.maxConcurrent(),
                    fallback.maxWait(),
                    primaryWeight,
                    mode == Mode.DRY_RUN);
        } catch (IllegalArgumentException refused) {
            throw SettingException.saying(
                    "weir.route." + refused.getMessage(), "Correct the value, or remove it to use the default.");
        }
    }

    private static void check(Session session, RouteConfig config) {
        Duration twice = config.policy().maxLag().multipliedBy(2);
        Duration least = twice.compareTo(config.longestStaleness()) < 0 ? config.longestStaleness() : twice;
        if (session.maxAge().compareTo(least) < 0 || session.maxAge().compareTo(LONGEST_TOKEN) > 0) {
            throw new SettingException(
                    "weir.route.session.max-age",
                    DurationText.of(session.maxAge()),
                    "from %s, at least twice weir.route.max-lag and as long as a replica may be late without being noticed, to 365d"
                            .formatted(DurationText.of(least)),
                    "Raise it, or lower weir.route.max-lag.");
        }
        checkToken("weir.route.session.cookie", session.cookie(), "the name of a cookie (RFC 6265)");
        checkToken("weir.route.session.header", session.header(), "the name of a header (RFC 9110)");
        checkKey("weir.route.session.key", session.key());
        session.previousKeys().forEach(key -> checkKey("weir.route.session.previous-keys", key));
    }

    /** Both RFCs call the same characters a token. */
    private static void checkToken(String property, String given, String what) {
        if (!TOKEN.matcher(given).matches()) {
            throw new SettingException(
                    property,
                    given,
                    what + ": letters, digits and !#$%&'*+-.^_`|~",
                    "Rename it, or remove it for the default.");
        }
    }

    private static void check(String name, Replica replica) {
        String prefix = "weir.route.replicas." + name;
        if (!NAME.matcher(name).matches()) {
            throw new SettingException(
                    prefix,
                    name,
                    "named by letters, digits, dashes and underscores",
                    "Rename the replica; the name is free and appears in metrics.");
        }
        String url = replica.url();
        if (url == null || !isPostgres(url)) {
            throw new SettingException(
                    prefix + ".url",
                    url == null ? "" : withoutParameters(url),
                    "a JDBC URL of PostgreSQL, such as jdbc:postgresql://replica-1:5432/shop",
                    "Give the address of the standby.");
        }
        if (!(replica.weight() > 0) || replica.weight() > MOST_WEIGHT) {
            throw new SettingException(
                    prefix + ".weight",
                    replica.weight(),
                    "a number above 0, up to 1000000",
                    "Correct it, or remove it for 1.");
        }
    }

    /** What the driver says, where it is there: ports that are none and the like show only so. */
    private static boolean isPostgres(String url) {
        return url.startsWith(POSTGRES) && (!isAccepted(POSTGRES + "//127.0.0.1:5432/postgres") || isAccepted(url));
    }

    private static boolean isAccepted(String url) {
        return DriverManager.drivers().anyMatch(driver -> {
            try {
                return driver.acceptsURL(url);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    /** Passwords stand in parameters. */
    private static String withoutParameters(String url) {
        int parameters = url.indexOf('?');
        return parameters < 0 ? url : url.substring(0, parameters);
    }

    private static void checkKey(String name, @Nullable String key) {
        if (key != null && key.getBytes(StandardCharsets.UTF_8).length < SessionTokens.LEAST_KEY_BYTES) {
            throw new SettingException(
                    name,
                    "(" + key.length() + " characters)",
                    "at least " + SessionTokens.LEAST_KEY_BYTES + " bytes long",
                    "Give a longer random text, such as the output of: openssl rand -base64 32");
        }
    }

    /** How old a state the replicas in use may show, at most; zero where none is read. */
    Duration longestStaleness() {
        return replicas.isEmpty() || mode == Mode.DRY_RUN ? Duration.ZERO : config().longestStaleness();
    }

    RouteConfig config() {
        return config(
                maxLagBytes,
                maxLag,
                sampleInterval,
                sampleTimeout,
                ejectAfter,
                readmitAfter,
                slowStart,
                replayWait,
                primaryWeight,
                fallback,
                mode);
    }
}
