package dev.weir.store.totals;

import java.time.LocalDate;

/** Counts paid orders by day. */
public interface DailyTotals {

    /**
     * Adds one paid order in the caller's transaction: it is counted once if that commits, and not if it does not.
     *
     * @param day the day it was ordered, in UTC
     */
    void add(LocalDate day, long cents);
}
