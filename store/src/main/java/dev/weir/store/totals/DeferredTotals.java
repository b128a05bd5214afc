package dev.weir.store.totals;

import dev.weir.core.outbox.Outbox;
import dev.weir.core.publish.Event;
import java.time.LocalDate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes one outbox row an order, which no other order waits for; a relay adds whole batches of them to the row of their
 * day. The totals are behind by the age of the oldest row in the outbox, some milliseconds as a rule.
 */
final class DeferredTotals implements DailyTotals {

    static final String OUTBOX_TABLE = "totals_outbox";

    private static final String TOPIC = "daily-totals";

    private final Outbox outbox;
    private final JsonMapper json;

    DeferredTotals(Outbox outbox, JsonMapper json) {
        this.outbox = outbox;
        this.json = json;
    }

    @Override
    public void add(LocalDate day, long cents) {
        outbox.add(Event.unkeyed(TOPIC, json.writeValueAsBytes(new DayTotal(day, 1, cents))));
    }
}
