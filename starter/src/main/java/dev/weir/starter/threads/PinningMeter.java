package dev.weir.starter.threads;

import dev.weir.core.watch.PinningWatch;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/** {@code weir.threads.pinned}: how often virtual threads were pinned, and for how long together. */
final class PinningMeter implements MeterBinder {

    private final PinningLog pinning;

    PinningMeter(PinningLog pinning) {
        this.pinning = pinning;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        PinningWatch watch = pinning.watch();
        if (watch != null) {
            FunctionTimer.builder(
                            "weir.threads.pinned",
                            watch,
                            PinningWatch::count,
                            seen -> seen.total().toNanos(),
                            TimeUnit.NANOSECONDS)
                    .description("Times that a virtual thread blocked and kept its carrier, from the threshold on")
                    .register(registry);
        }
    }
}
