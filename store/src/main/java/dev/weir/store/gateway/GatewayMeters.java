package dev.weir.store.gateway;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** The gateway in numbers; names and meanings stand in docs/reference/store.md. */
@Component
@ConditionalOnBooleanProperty("store.gateway.enabled")
class GatewayMeters implements MeterBinder {

    private final Gateway gateway;

    GatewayMeters(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(
                registry,
                "queued",
                "messages accepted and not sent, of all instances",
                each -> each.view().waiting());
        gauge(
                registry,
                "pace",
                "messages a second permitted to this instance",
                each -> each.dispatcher().stats().perSecond());
        gauge(
                registry,
                "in.flight",
                "calls of the provider under way",
                each -> each.dispatcher().stats().inFlight());
        gauge(
                registry,
                "standstill",
                "seconds for which nothing was sent although messages wait",
                each -> each.view().standstill().toSeconds());
        gauge(
                registry,
                "callbacks.parked",
                "callbacks given up, of all instances",
                each -> each.callbackTable().parked());
        counter(
                registry,
                "accepted",
                "messages accepted by this instance",
                each -> each.acceptor().stats().accepted());
        counter(
                registry,
                "accept.transactions",
                "transactions that accepted them",
                each -> each.acceptor().stats().transactions());
        counter(
                registry,
                "sent",
                "messages the provider took",
                each -> each.dispatcher().stats().sent());
        counter(
                registry,
                "failed",
                "messages the provider will not take",
                each -> each.dispatcher().stats().failed());
        counter(
                registry,
                "pace.cuts",
                "times the provider's refusals lowered the pace",
                each -> each.dispatcher().stats().cuts());
        counter(
                registry,
                "repeated",
                "records read again and left out",
                each -> each.dispatcher().stats().repeated());
        counter(
                registry,
                "callbacks.delivered",
                "callbacks confirmed",
                each -> each.callbacks().stats().delivered());
        counter(
                registry,
                "callbacks.failures",
                "calls that failed",
                each -> each.callbacks().stats().failures());
    }

    private void gauge(MeterRegistry registry, String name, String meaning, ToDoubleFunction<Gateway> value) {
        Gauge.builder("store.gateway." + name, gateway, value)
                .description(meaning)
                .register(registry);
    }

    private void counter(MeterRegistry registry, String name, String meaning, ToDoubleFunction<Gateway> value) {
        FunctionCounter.builder("store.gateway." + name, gateway, value)
                .description(meaning)
                .register(registry);
    }
}
