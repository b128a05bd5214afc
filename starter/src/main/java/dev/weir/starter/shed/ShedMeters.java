package dev.weir.starter.shed;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.RefusalReason;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What admission counts. */
final class ShedMeters implements MeterBinder {

    private final Admission admission;
    private final SignalSampler sampler;
    private final @Nullable QuotaSharing sharing;

    /** @param sharing null where quotas are not shared */
    ShedMeters(Admission admission, SignalSampler sampler, @Nullable QuotaSharing sharing) {
        this.admission = admission;
        this.sampler = sampler;
        this.sharing = sharing;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("weir.shed.limit", admission, Admission::limit).register(registry);
        Gauge.builder("weir.shed.waiting", admission, Admission::waiting).register(registry);
        Gauge.builder("weir.shed.pressure", admission, Admission::pressure).register(registry);
        if (sharing != null) {
            FunctionCounter.builder("weir.shed.quota.failures", sharing, QuotaSharing::failures)
                    .register(registry);
        }
        for (Signal signal : sampler.signals()) {
            FunctionCounter.builder("weir.shed.signal.failures", signal, Signal::failures)
                    .tag("signal", signal.name())
                    .register(registry);
        }
        for (Priority priority : Priority.values()) {
            Gauge.builder("weir.shed.in.flight", admission, all -> all.inFlight(priority))
                    .tag("priority", lower(priority))
                    .register(registry);
            FunctionCounter.builder("weir.shed.admitted", admission, all -> all.admitted(priority))
                    .tag("priority", lower(priority))
                    .register(registry);
            for (RefusalReason reason : RefusalReason.values()) {
                FunctionCounter.builder("weir.shed.refused", admission, all -> all.refused(reason, priority))
                        .tag("priority", lower(priority))
                        .tag("reason", lower(reason))
                        .register(registry);
            }
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
