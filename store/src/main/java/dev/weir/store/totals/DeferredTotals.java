package dev.weir.store.totals;

import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.Relay;
import dev.weir.core.publish.Event;
import java.time.LocalDate;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes one outbox row an order, which no other order waits for; a relay adds whole batches of them to the row of their
 * day. The totals are behind by the age of the oldest row in the outbox, some milliseconds as a rule.
 */
final class DeferredTotals implements DailyTotals, SmartLifecycle {

    static final String OUTBOX_TABLE = "totals_outbox";

    private static final String TOPIC = "daily-totals";
    private static final OutboxConfig CONFIG = OutboxConfig.defaults().withTable(OUTBOX_TABLE);

    private final Outbox outbox = new Outbox(CONFIG);
    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final TotalsTarget target;
    private final JsonMapper json;
    private @Nullable Relay relay;

    DeferredTotals(
            DataSource dataSource,
            JdbcTemplate jdbc,
            TotalsTable table,
            TransactionOperations transactions,
            JsonMapper json) {
        this.dataSource = dataSource;
        this.jdbc = jdbc;
        this.json = json;
        this.target = new TotalsTarget(jdbc, table, transactions, json);
    }

    @Override
    public void add(LocalDate day, long cents) {
        Event event = Event.unkeyed(TOPIC, json.writeValueAsBytes(new DayTotal(day, 1, cents)));
        jdbc.execute((ConnectionCallback<UUID>) connection -> outbox.add(connection, event));
        TransactionSynchronizationManager.registerSynchronization(new WakesRelay(outbox));
    }

    @Override
    public synchronized void start() {
        relay = Relay.start(CONFIG, outbox, dataSource, target);
    }

    @Override
    public synchronized void stop() {
        if (relay != null) {
            relay.close();
            relay = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return relay != null;
    }

    /** Starts before the web server and stops after it. */
    @Override
    public int getPhase() {
        return 0;
    }

    private record WakesRelay(Outbox outbox) implements TransactionSynchronization {

        @Override
        public void afterCommit() {
            outbox.committed();
        }
    }
}
