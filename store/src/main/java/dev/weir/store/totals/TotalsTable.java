package dev.weir.store.totals;

import java.time.LocalDate;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** One row a day in PostgreSQL; takes part in the caller's transaction. */
@Repository
class TotalsTable {

    private final JdbcClient jdbc;

    TotalsTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds to the day, whose row is locked from now until the transaction ends. */
    void add(DayTotal total) {
        jdbc.sql("insert into daily_totals (day, orders, total_cents) values (:day, :orders, :cents)"
                        + " on conflict (day) do update set orders = daily_totals.orders + excluded.orders,"
                        + " total_cents = daily_totals.total_cents + excluded.total_cents")
                .param("day", total.day())
                .param("orders", total.orders())
                .param("cents", total.totalCents())
                .update();
    }

    Optional<DayTotal> find(LocalDate day) {
        return jdbc.sql("select orders, total_cents from daily_totals where day = :day")
                .param("day", day)
                .query((row, number) -> new DayTotal(day, row.getLong(1), row.getLong(2)))
                .optional();
    }
}
