package dev.weir.store.totals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.outbox.Outcome;
import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.publish.Event;
import dev.weir.store.RunningStore;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.json.JsonMapper;

class TotalsTargetIT {

    /** No orders are of this day. */
    private static final LocalDate DAY = LocalDate.of(1999, 12, 31);

    private static final int LANE = 0;

    /** Below those of the store. */
    private static final AtomicLong nextRow = new AtomicLong(-1);

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    private final TotalsTarget target = new TotalsTarget(
            store.bean(JdbcTemplate.class),
            store.bean(TotalsTable.class),
            store.bean(TransactionOperations.class),
            JsonMapper.shared());

    @Test
    void anEventThatIsDeliveredTwiceIsCountedOnce() throws SQLException {
        long before = cents();
        List<StoredEvent> events = List.of(stored(250), stored(100));

        assertThat(target.begin(events).outcomes()).containsOnly(new Outcome.Delivered());
        assertThat(target.begin(events).outcomes()).containsOnly(new Outcome.Delivered());

        assertThat(cents() - before).isEqualTo(350);
    }

    @Test
    void whatIsNoTotalIsRefusedAloneAndNotRemoved() throws SQLException {
        refusedAlone("x");
        refusedAlone("{\"orders\":1,\"totalCents\":5}");
        refusedAlone("{\"day\":null,\"orders\":1,\"totalCents\":5}");
        refusedAlone("null");
    }

    private void refusedAlone(String content) throws SQLException {
        long before = cents();
        StoredEvent broken = new StoredEvent(
                add(content), LANE, 0, Event.unkeyed("daily-totals", content.getBytes(StandardCharsets.UTF_8)));

        List<Outcome> outcomes = target.begin(List.of(broken, stored(40))).outcomes();

        assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.getLast()).isEqualTo(new Outcome.Delivered());
        assertThat(cents() - before).isEqualTo(40);
        store.execute("delete from totals_outbox where id = " + broken.row());
    }

    private static long cents() throws SQLException {
        return store.count("select coalesce(sum(total_cents), 0) from daily_totals where day = '" + DAY + "'");
    }

    private static StoredEvent stored(long cents) throws SQLException {
        String json = "{\"day\":\"" + DAY + "\",\"orders\":1,\"totalCents\":" + cents + "}";
        return new StoredEvent(
                add(json), LANE, 0, Event.unkeyed("daily-totals", json.getBytes(StandardCharsets.UTF_8)));
    }

    /** With a time to try again that never comes, so that a relay of another test leaves it alone. */
    private static long add(String json) throws SQLException {
        long id = nextRow.getAndDecrement();
        store.execute(
                "insert into totals_outbox (id, event_id, key_hash, topic, payload, retry_at) overriding system value"
                        + " values (" + id + ", gen_random_uuid(), " + LANE + ", 'daily-totals', '" + json
                        + "', now() + interval '1 day')");
        return id;
    }
}
