package dev.weir.starter.outbox;

import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.OutboxSchema;
import dev.weir.core.outbox.Target;
import dev.weir.starter.SettingException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Makes outboxes by the settings of {@code weir.outbox}, each with tables and a relay of its own. */
public final class Outboxes implements SmartInitializingSingleton {

    private final OutboxProperties properties;
    private final DataSource database;
    private final ObjectProvider<OutboxRelay> beans;
    private final Map<String, OutboxConfig> made = new HashMap<>();

    /** @param beans all outboxes of the application */
    Outboxes(OutboxProperties properties, DataSource database, ObjectProvider<OutboxRelay> beans) {
        this.properties = properties;
        this.database = database;
        this.beans = beans;
    }

    /** Those that the application has made itself are looked at as well. */
    @Override
    public void afterSingletonsInstantiated() {
        Map<String, OutboxConfig> known = new HashMap<>();
        beans.forEach(bean -> {
            requireOwn(known, bean.name(), bean.config());
            known.put(bean.name(), bean.config());
        });
    }

    /**
     * An outbox whose tables are there as weir.outbox.schema wants it. Its relay starts with the application.
     *
     * @param name for operators and metrics
     * @param maxEventBytes larger events are refused at the call
     * @param target made at each start of the relay; null for no relay in this process
     * @throws SettingException if the tables are missing or cannot be made, or are those of another outbox
     */
    public OutboxRelay make(String name, String table, int maxEventBytes, @Nullable Supplier<Target> target) {
        OutboxConfig config = properties.config(table);
        take(name, config);
        ready(config);
        var outbox = new Outbox(config, new SpringTransaction(database), maxEventBytes);
        return new OutboxRelay(name, config, outbox, database, target, properties.sampleInterval());
    }

    private synchronized void take(String name, OutboxConfig config) {
        requireOwn(made, name, config);
        made.put(name, config);
    }

    /** Two relays on one table would each deliver what is meant for the other's target. */
    private static void requireOwn(Map<String, OutboxConfig> others, String name, OutboxConfig config) {
        if (others.containsKey(name)) {
            throw SettingException.saying(
                    "Two outboxes have the name " + name + ", and operators could not tell which one they mean.",
                    "Give each a name of its own.");
        }
        Set<String> taken = new HashSet<>();
        others.values().forEach(other -> taken.addAll(tables(other)));
        for (String table : tables(config)) {
            if (taken.contains(table)) {
                throw SettingException.saying(
                        "Two outboxes are to use the table " + table + ", and each would deliver the other's events.",
                        "Give each a table of its own by weir.outbox.table and weir.defer.table.");
            }
        }
    }

    private static List<String> tables(OutboxConfig config) {
        return Stream.of("", "_parked", "_lease", "_member")
                .map(part -> config.table() + part)
                .toList();
    }

    private void ready(OutboxConfig config) {
        try {
            switch (properties.schema()) {
                case CREATE -> OutboxSchema.ensure(database, config);
                case CHECK -> check(config);
                case NONE -> {}
            }
        } catch (SQLException refused) {
            throw SettingException.saying(
                    "The tables of the outbox cannot be %s: %s"
                            .formatted(
                                    properties.schema() == OutboxProperties.Schema.CREATE ? "made" : "looked at",
                                    sentence(refused)),
                    "See that the database answers and that its user may do this; or make the tables by a migration"
                            + " (OutboxSchema.statements) and set weir.outbox.schema=check.");
        }
    }

    private void check(OutboxConfig config) throws SQLException {
        try (Connection connection = database.getConnection()) {
            OutboxSchema.problem(connection, config).ifPresent(problem -> {
                throw SettingException.saying(
                        problem,
                        "Make the tables by a migration (OutboxSchema.statements), or set weir.outbox.schema=create.");
            });
        }
    }

    private static String sentence(SQLException refused) {
        String message = String.valueOf(refused.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }
}
