package dev.weir.store.totals;

import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class TotalsConfiguration {

    @Bean
    DailyTotals dailyTotals(
            TotalsSettings settings,
            TotalsTable table,
            DataSource dataSource,
            JdbcTemplate jdbc,
            TransactionOperations transactions,
            JsonMapper json) {
        return switch (settings.totals()) {
            case IN_LINE -> new InLineTotals(table);
            case DEFERRED -> new DeferredTotals(dataSource, jdbc, table, transactions, json);
        };
    }
}
