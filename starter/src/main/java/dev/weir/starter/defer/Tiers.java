package dev.weir.starter.defer;

import dev.weir.core.defer.BestEffortStats;
import dev.weir.core.publish.Event;
import dev.weir.core.shed.ServicePressure;
import dev.weir.core.shed.Stage;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/** Both tiers. Under pressure best effort is the first to go. */
final class Tiers implements Deferred {

    private final dev.weir.core.defer.BestEffort effort;
    private final DeferrableMethods methods;
    private final ServicePressure pressure;
    private final LongAdder droppedUnderPressure = new LongAdder();

    Tiers(dev.weir.core.defer.BestEffort effort, DeferrableMethods methods, ServicePressure pressure) {
        this.effort = effort;
        this.methods = methods;
        this.pressure = pressure;
    }

    @Override
    public UUID deferrable(Event event) {
        Objects.requireNonNull(event, "There is no event; null was given.");
        methods.requireHandler(event.topic());
        return methods.add(event);
    }

    @Override
    public boolean bestEffort(Runnable task) {
        Objects.requireNonNull(task, "There is no task; null was given.");
        if (pressure.stage().includes(Stage.DROP_BEST_EFFORT)) {
            droppedUnderPressure.increment();
            return false;
        }
        return effort.offer(task);
    }

    BestEffortStats stats() {
        return effort.stats();
    }

    long droppedUnderPressure() {
        return droppedUnderPressure.sum();
    }

    int deferrables() {
        return methods.count();
    }
}
