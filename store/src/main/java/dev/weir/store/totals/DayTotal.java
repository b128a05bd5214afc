package dev.weir.store.totals;

import java.time.LocalDate;

/**
 * Paid orders of one day.
 *
 * @param day in UTC
 */
record DayTotal(LocalDate day, long orders, long totalCents) {

    DayTotal plus(DayTotal other) {
        return new DayTotal(day, orders + other.orders, totalCents + other.totalCents);
    }
}
