package dev.weir.store.orderevents;

import dev.weir.core.outbox.Outbox;
import dev.weir.starter.SettingException;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OrderEventConfiguration {

    @Bean
    OrderEvents orderEvents(
            OrderEventSettings settings, KafkaServers kafka, ObjectProvider<Outbox> outbox, MeterRegistry meters) {
        if (!kafka.present()) {
            return new NoOrderEvents();
        }
        return switch (settings.events()) {
            case IN_LINE -> new InLineOrderEvents(kafka.joined(), meters);
            case DEFERRED -> new OutboxOrderEvents(outbox.getIfAvailable(OrderEventConfiguration::refuse));
        };
    }

    private static Outbox refuse() {
        throw new SettingException(
                "store.orders.events",
                "deferred",
                "in-line while weir.outbox is off",
                "Set weir.outbox.enabled to true as well.");
    }
}
