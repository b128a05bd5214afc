package dev.weir.bench.shed;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;
import dev.weir.core.shed.OpenLoop;
import dev.weir.core.shed.OpenLoop.Arrival;
import dev.weir.core.shed.Priority;
import java.util.Optional;

/** Netflix's partitioned limiter before the simulated service, 80 % high and 20 % low. */
final class NetflixGate implements OpenLoop.Gate {

    private final Limiter<Priority> limiter;

    NetflixGate(OpenLoop loop, Limit limit) {
        this.limiter = new Partitions()
                .limit(limit)
                .nanoClock(loop::nanoTime)
                .partitionResolver(Priority::name)
                .partition(Priority.NORMAL.name(), 0.8)
                .partition(Priority.LOW.name(), 0.2)
                .build();
    }

    @Override
    public void arrive(Arrival arrival) {
        Optional<Limiter.Listener> listener = limiter.acquire(arrival.priority());
        if (listener.isPresent()) {
            arrival.ticket = listener.get();
            arrival.admitted();
        } else {
            arrival.refused(1);
        }
    }

    @Override
    public void ended(Arrival arrival) {
        if (arrival.ticket instanceof Limiter.Listener listener) {
            listener.onSuccess();
        }
    }

    private static final class Partitions extends AbstractPartitionedLimiter.Builder<Partitions, Priority> {

        @Override
        protected Partitions self() {
            return this;
        }
    }
}
