package dev.weir.bench.watch;

import dev.weir.core.time.NanoClock;
import dev.weir.core.watch.Budget;
import dev.weir.core.watch.Kind;
import dev.weir.core.watch.RequestWatch;
import dev.weir.core.watch.WatchConfig;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.springframework.util.StopWatch;

/** What does it cost to time one span, by each of the usual ways? Command: bench/timer-cost. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimerCost {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Timer timer = Timer.builder("span").register(registry);
    private final RequestWatch watch = new RequestWatch(WatchConfig.defaults(), NanoClock.system());
    private final Budget budget = watch.begin();

    @Benchmark
    public long currentTimeMillis() {
        long begun = System.currentTimeMillis();
        return System.currentTimeMillis() - begun;
    }

    @Benchmark
    public long nanoTime() {
        long begun = System.nanoTime();
        return System.nanoTime() - begun;
    }

    /** As it is used: one for each span. */
    @Benchmark
    public long stopWatch() {
        StopWatch stopWatch = new StopWatch();
        stopWatch.start("span");
        stopWatch.stop();
        return stopWatch.getTotalTimeNanos();
    }

    @Benchmark
    public long micrometerTimer() {
        return Timer.start(registry).stop(timer);
    }

    @Benchmark
    public long budgetCall() {
        long begun = budget.begin(Kind.SQL);
        budget.end(Kind.SQL, begun, "SELECT 1");
        return begun;
    }

    /** A request with one call: made, ended and added up. */
    @Benchmark
    public Budget wholeBudget() {
        Budget own = watch.begin();
        own.end(Kind.SQL, own.begin(Kind.SQL), "SELECT 1");
        watch.end(own, () -> "any", 200);
        return own;
    }
}
