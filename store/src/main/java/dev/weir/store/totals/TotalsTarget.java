package dev.weir.store.totals;

import dev.weir.core.outbox.Outcome;
import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.outbox.Target;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Adds a batch of paid orders to the rows of their days, each exactly once.
 *
 * <p>A relay delivers at least once. Here the delivery is a change of the same database, so the transaction that adds also
 * removes the events' rows from the outbox, and adds only what it removed itself. Whoever delivers a row a second time
 * (after a crash, or because two instances believe they own it) removes nothing and adds nothing.
 */
final class TotalsTarget implements Target {

    private static final String REMOVE =
            "delete from " + DeferredTotals.OUTBOX_TABLE + " where id = any (?) returning id";

    private final JdbcTemplate jdbc;
    private final TotalsTable table;
    private final TransactionOperations transactions;
    private final ObjectReader reader;

    TotalsTarget(JdbcTemplate jdbc, TotalsTable table, TransactionOperations transactions, JsonMapper json) {
        this.jdbc = jdbc;
        this.table = table;
        this.transactions = transactions;
        // What lacks a day would otherwise fail later, and with it its whole batch, again and again.
        this.reader = json.readerFor(DayTotal.class)
                .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    }

    /** Blocks for one transaction; nothing is under way afterwards. */
    @Override
    public Batch begin(List<StoredEvent> events) {
        Map<Long, DayTotal> readable = new HashMap<>();
        Map<Long, Outcome> outcomes = new HashMap<>();
        for (StoredEvent event : events) {
            try {
                DayTotal total = reader.readValue(event.event().value());
                if (total == null) {
                    outcomes.put(event.row(), refused("null"));
                } else {
                    readable.put(event.row(), total);
                }
            } catch (JacksonException e) {
                outcomes.put(event.row(), refused(e.getOriginalMessage()));
            }
        }
        Outcome ofReadable = add(readable);
        return new Ended(events.stream()
                .map(event -> outcomes.getOrDefault(event.row(), ofReadable))
                .toList());
    }

    private static Outcome refused(String reason) {
        return new Outcome.Refused("Not a day's total: " + reason);
    }

    private Outcome add(Map<Long, DayTotal> totals) {
        try {
            transactions.executeWithoutResult(status -> addRemoved(totals));
            return new Outcome.Delivered();
        } catch (DataAccessException | TransactionException e) {
            return new Outcome.Postponed(String.valueOf(e.getMessage()));
        }
    }

    private void addRemoved(Map<Long, DayTotal> totals) {
        // By day, so that two relays lock the rows in the same order.
        SortedMap<LocalDate, DayTotal> days = new TreeMap<>();
        for (long row : remove(totals.keySet())) {
            DayTotal total = totals.get(row);
            if (total != null) {
                days.merge(total.day(), total, DayTotal::plus);
            }
        }
        days.values().forEach(table::add);
    }

    private Set<Long> remove(Set<Long> rows) {
        return jdbc
                .query(
                        connection -> {
                            PreparedStatement statement = connection.prepareStatement(REMOVE);
                            Array ids = connection.createArrayOf("bigint", rows.toArray());
                            statement.setArray(1, ids);
                            return statement;
                        },
                        (row, number) -> row.getLong(1))
                .stream()
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {}

    private record Ended(List<Outcome> outcomes) implements Batch {

        @Override
        public boolean await(Duration atMost) {
            return true;
        }

        @Override
        public void abort() {}
    }
}
