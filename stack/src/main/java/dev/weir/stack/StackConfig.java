package dev.weir.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a stack consists of. Complete or refused: a wrong value throws {@link IllegalArgumentException} with one sentence.
 *
 * @param standbys streaming standbys of PostgreSQL, 0 to 4
 * @param redis whether Redis is started
 * @param kafka whether a Kafka broker is started
 * @param ports fixed ports, or 0 where a free one is chosen
 * @param postgresSettings settings for the primary and every standby, such as {@code max_connections}; those the stack depends on
 *     are refused
 * @param kafkaSettings settings of the broker, such as {@code auto.create.topics.enable}; those the stack depends on are refused
 * @param cacheFolder where binaries and the data of runs lie; null for the user's cache folder (see {@link CacheFolder})
 * @param startTimeout how long all servers together may take until they are ready, 1 second to 10 minutes
 */
public record StackConfig(
        int standbys,
        boolean redis,
        boolean kafka,
        PortPlan ports,
        Map<String, String> postgresSettings,
        Map<String, String> kafkaSettings,
        @Nullable Path cacheFolder,
        Duration startTimeout) {
    /** The most standbys one stack may have. */
    public static final int MAX_STANDBYS = 4;

    private static final Duration MAX_START_TIMEOUT = Duration.ofMinutes(10);
    private static final Pattern SETTING_NAME = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?");
    private static final Set<String> OWN_SETTINGS = Set.of(
            "port",
            "listen_addresses",
            "data_directory",
            "hba_file",
            "unix_socket_directories",
            "hot_standby",
            "primary_conninfo",
            "wal_level",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "logging_collector",
            "log_destination",
            "lc_messages");

    private static final Pattern KAFKA_SETTING_NAME = Pattern.compile("[a-z][a-z0-9_.]*");
    private static final Set<String> OWN_KAFKA_SETTINGS = Set.of(
            "process.roles",
            "node.id",
            "controller.quorum.voters",
            "controller.listener.names",
            "listeners",
            "advertised.listeners",
            "listener.security.protocol.map",
            "log.dir",
            "log.dirs");

    /** Checks every value. */
    public StackConfig {
        if (standbys < 0 || standbys > MAX_STANDBYS) {
            throw new IllegalArgumentException(
                    "%d standbys were asked for; 0 to %d are possible.".formatted(standbys, MAX_STANDBYS));
        }
        if (startTimeout.compareTo(Duration.ofSeconds(1)) < 0 || startTimeout.compareTo(MAX_START_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "The start timeout is %s; it must lie between 1 second and 10 minutes.".formatted(startTimeout));
        }
        ports.requireRoomFor(standbys);
        postgresSettings.forEach((name, value) ->
                requireSetting("PostgreSQL", SETTING_NAME, "max_connections", OWN_SETTINGS, name, value));
        postgresSettings = Map.copyOf(new TreeMap<>(postgresSettings));
        kafkaSettings.forEach((name, value) -> requireSetting(
                "Kafka", KAFKA_SETTING_NAME, "auto.create.topics.enable", OWN_KAFKA_SETTINGS, name, value));
        kafkaSettings = Map.copyOf(new TreeMap<>(kafkaSettings));
    }

    /** PostgreSQL with one standby, and Redis, on free ports. */
    public static StackConfig defaults() {
        return new StackConfig(1, true, false, PortPlan.free(), Map.of(), Map.of(), null, Duration.ofSeconds(60));
    }

    /** The same with another number of standbys, 0 to 4. */
    public StackConfig withStandbys(int count) {
        return new StackConfig(count, redis, kafka, ports, postgresSettings, kafkaSettings, cacheFolder, startTimeout);
    }

    /** The same with or without Redis. */
    public StackConfig withRedis(boolean wanted) {
        return new StackConfig(
                standbys, wanted, kafka, ports, postgresSettings, kafkaSettings, cacheFolder, startTimeout);
    }

    /** The same with or without Kafka. */
    public StackConfig withKafka(boolean wanted) {
        return new StackConfig(
                standbys, redis, wanted, ports, postgresSettings, kafkaSettings, cacheFolder, startTimeout);
    }

    /** The same on other ports. */
    public StackConfig withPorts(PortPlan plan) {
        return new StackConfig(
                standbys, redis, kafka, plan, postgresSettings, kafkaSettings, cacheFolder, startTimeout);
    }

    /** The same with one more setting of PostgreSQL, or another value for it. */
    public StackConfig withPostgresSetting(String name, String value) {
        Map<String, String> settings = new TreeMap<>(postgresSettings);
        settings.put(name, value);
        return new StackConfig(standbys, redis, kafka, ports, settings, kafkaSettings, cacheFolder, startTimeout);
    }

    /** The same with one more setting of the Kafka broker, or another value for it. */
    public StackConfig withKafkaSetting(String name, String value) {
        Map<String, String> settings = new TreeMap<>(kafkaSettings);
        settings.put(name, value);
        return new StackConfig(standbys, redis, kafka, ports, postgresSettings, settings, cacheFolder, startTimeout);
    }

    /** The same with binaries and data below another folder. */
    public StackConfig withCacheFolder(Path folder) {
        return new StackConfig(standbys, redis, kafka, ports, postgresSettings, kafkaSettings, folder, startTimeout);
    }

    /** The same with another limit for the whole start. */
    public StackConfig withStartTimeout(Duration timeout) {
        return new StackConfig(standbys, redis, kafka, ports, postgresSettings, kafkaSettings, cacheFolder, timeout);
    }

    private static void requireSetting(
            String server, Pattern names, String example, Set<String> own, String name, String value) {
        if (!names.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no name of a %s setting; write it like %s.".formatted(name, server, example));
        }
        if (own.contains(name)) {
            throw new IllegalArgumentException(
                    "The %s setting %s belongs to the stack and cannot be changed.".formatted(server, name));
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "The value of the %s setting %s contains a control character.".formatted(server, name));
        }
    }
}
