package dev.weir.store.totals;

import dev.weir.core.outbox.OutboxConfig;
import dev.weir.starter.outbox.OutboxRelay;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class TotalsConfiguration {

    private static final OutboxConfig OUTBOX = OutboxConfig.defaults().withTable(DeferredTotals.OUTBOX_TABLE);

    @Bean
    DailyTotals dailyTotals(
            TotalsSettings settings,
            TotalsTable table,
            @Qualifier("totalsRelay") ObjectProvider<OutboxRelay> relay,
            JsonMapper json) {
        return switch (settings.totals()) {
            case IN_LINE -> new InLineTotals(table);
            case DEFERRED -> new DeferredTotals(relay.getObject().outbox(), json);
        };
    }

    /** A bean of its own, so that operators see it with the other outboxes. */
    @Bean
    @ConditionalOnProperty(name = "store.orders.totals", havingValue = "deferred")
    @DependsOnDatabaseInitialization
    OutboxRelay totalsRelay(
            DataSource dataSource,
            JdbcTemplate jdbc,
            TotalsTable table,
            TransactionOperations transactions,
            JsonMapper json) {
        var target = new TotalsTarget(jdbc, table, transactions, json);
        return OutboxRelay.of("totals", OUTBOX, dataSource, Integer.MAX_VALUE, () -> target);
    }
}
