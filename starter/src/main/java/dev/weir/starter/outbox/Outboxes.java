package dev.weir.starter.outbox;

import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.OutboxSchema;
import dev.weir.core.outbox.Target;
import dev.weir.starter.SettingException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Makes outboxes by the settings of {@code weir.outbox}, each with tables and a relay of its own. */
public final class Outboxes {

    private final OutboxProperties properties;
    private final DataSource database;
    private final Set<String> tables = new HashSet<>();

    Outboxes(OutboxProperties properties, DataSource database) {
        this.properties = properties;
        this.database = database;
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
        requireOwn(table);
        ready(config);
        var outbox = new Outbox(config, new SpringTransaction(database), maxEventBytes);
        return new OutboxRelay(name, config, outbox, database, target, properties.sampleInterval());
    }

    /** Two relays on one table would each deliver what is meant for the other's target. */
    private synchronized void requireOwn(String table) {
        for (String part : List.of("", "_parked", "_lease", "_member")) {
            if (!tables.add(table + part)) {
                throw SettingException.saying(
                        "Two outboxes are to use the table " + table + part
                                + ", and each would deliver the other's events.",
                        "Give each a table of its own by weir.outbox.table and weir.defer.table.");
            }
        }
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
