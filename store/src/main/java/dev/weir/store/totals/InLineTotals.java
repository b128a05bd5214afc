package dev.weir.store.totals;

import java.time.LocalDate;

/** Updates the day's row in the order's own transaction, so that all orders of a day take turns at it. */
final class InLineTotals implements DailyTotals {

    private final TotalsTable table;

    InLineTotals(TotalsTable table) {
        this.table = table;
    }

    @Override
    public void add(LocalDate day, long cents) {
        table.add(new DayTotal(day, 1, cents));
    }
}
