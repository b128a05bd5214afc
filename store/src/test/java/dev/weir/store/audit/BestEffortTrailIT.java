package dev.weir.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.publish.Event;
import dev.weir.starter.defer.Deferred;
import dev.weir.store.RunningStore;
import dev.weir.store.audit.TrailEntry.Sale;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionOperations;

class BestEffortTrailIT {

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    /** At once, so that what the task throws is seen. */
    private static final class AtOnce implements Deferred {
        @Override
        public UUID deferrable(Event event) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public boolean bestEffort(Runnable task) {
            task.run();
            return true;
        }
    }

    private final OrderTrail trail =
            new BestEffortTrail(store.bean(TrailTables.class), store.bean(TransactionOperations.class), new AtOnce());

    @Test
    void whatAnOrderLeavesIsWholeOrAbsent() throws SQLException {
        UUID broken = UUID.randomUUID();
        UUID whole = UUID.randomUUID();
        store.execute("alter table sales_facts add constraint one_of_them check (quantity <> -1)");
        try {
            assertThatThrownBy(() -> trail.committed(entry(broken, -1))).isInstanceOf(DataAccessException.class);
            trail.committed(entry(whole, 1));
        } finally {
            store.execute("alter table sales_facts drop constraint one_of_them");
        }

        assertThat(lines(broken)).isZero();
        assertThat(lines(whole)).isEqualTo(1);
    }

    private static TrailEntry entry(UUID order, int quantity) {
        return new TrailEntry(order, 7, "PAID", List.of(new Sale(1, 1, 250), new Sale(2, quantity, 250)));
    }

    private static long lines(UUID order) throws SQLException {
        return store.count("select count(*) from order_audit where order_id = '" + order + "'");
    }
}
