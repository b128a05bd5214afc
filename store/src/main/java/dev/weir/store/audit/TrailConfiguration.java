package dev.weir.store.audit;

import dev.weir.starter.SettingException;
import dev.weir.starter.defer.Deferred;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionOperations;

@Configuration(proxyBeanMethods = false)
class TrailConfiguration {

    @Bean
    OrderTrail orderTrail(
            TrailSettings settings,
            TrailTables tables,
            TransactionOperations transactions,
            ObjectProvider<Deferred> deferred) {
        return switch (settings.audit()) {
            case IN_LINE -> new InLineTrail(tables);
            case BEST_EFFORT ->
                new BestEffortTrail(tables, transactions, deferred.getIfAvailable(TrailConfiguration::refuse));
        };
    }

    private static Deferred refuse() {
        throw new SettingException(
                "store.orders.audit",
                "best-effort",
                "in-line while weir.defer is off",
                "Set weir.defer.enabled to true as well.");
    }
}
