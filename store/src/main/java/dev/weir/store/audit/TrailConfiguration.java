package dev.weir.store.audit;

import dev.weir.starter.SettingException;
import dev.weir.starter.defer.Deferred;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class TrailConfiguration {

    @Bean
    OrderTrail orderTrail(TrailSettings settings, TrailTables tables, ObjectProvider<Deferred> deferred) {
        return switch (settings.audit()) {
            case IN_LINE -> new InLineTrail(tables);
            case BEST_EFFORT -> new BestEffortTrail(tables, deferred.getIfAvailable(TrailConfiguration::refuse));
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
