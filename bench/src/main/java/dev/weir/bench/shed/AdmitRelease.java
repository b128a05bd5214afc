package dev.weir.bench.shed;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** What does it cost to take a place and give it back, while there are enough? Command: bench/shed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AdmitRelease {

    @Param
    Limiter.Kind kind = Limiter.Kind.SEMAPHORE;

    private @Nullable Limiter limiter;

    @Setup(Level.Trial)
    public void create() {
        limiter = kind.create();
    }

    @Benchmark
    @Threads(1)
    public boolean threads1() {
        return once();
    }

    @Benchmark
    @Threads(2)
    public boolean threads2() {
        return once();
    }

    @Benchmark
    @Threads(8)
    public boolean threads8() {
        return once();
    }

    @Benchmark
    @Threads(64)
    public boolean threads64() {
        return once();
    }

    private boolean once() {
        Limiter subject = limiter;
        if (subject == null) {
            throw new IllegalStateException("The bench was not set up.");
        }
        return subject.admitAndRelease();
    }
}
