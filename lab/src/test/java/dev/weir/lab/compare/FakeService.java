package dev.weir.lab.compare;

import dev.weir.lab.engine.Generator;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * A service and its generator in one, without time: it answers {@code capacityPerSecond} in a closed loop and any lower
 * rate as asked, within {@code latencyMillis}, each second with 2 % of noise.
 */
final class FakeService implements Generator {
    private static final double NOISE = 0.02;

    private final double capacityPerSecond;
    private final double latencyMillis;
    private final SplittableRandom random;

    FakeService(double capacityPerSecond, double latencyMillis, long seed) {
        this.capacityPerSecond = capacityPerSecond;
        this.latencyMillis = latencyMillis;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public Measurement run(Load load, Consumer<SecondSample> progress) {
        boolean closed = load.mode() == Load.Mode.CLOSED;
        double rate = closed ? capacityPerSecond : load.ratePerSecond();
        List<SecondSample> seconds = LongStream.rangeClosed(0, load.duration().toSeconds())
                .mapToObj(second -> second((int) second, rate))
                .toList();
        seconds.forEach(progress);
        long completed = Math.round(rate * load.duration().toMillis() / 1e3);
        Histogram latencies = new Histogram(3);
        return new Measurement(
                load.duration(),
                closed ? 0 : rate,
                completed,
                completed,
                completed,
                completed,
                0,
                Map.of(),
                Map.of(),
                Map.of(200, completed),
                0,
                0,
                1,
                latencies,
                latencies,
                latencies,
                seconds,
                new GeneratorCost(0, 0.2, -1, -1, 2));
    }

    private SecondSample second(int second, double rate) {
        long completed = Math.round(rate * noise());
        long p50Nanos = Math.round(latencyMillis * 1e6 * noise());
        return new SecondSample(second, completed, completed, completed, 0, 1, p50Nanos, 3 * p50Nanos);
    }

    private double noise() {
        return Math.exp(NOISE * random.nextGaussian());
    }

    @Override
    public void finish() {
        // A run takes no time.
    }

    @Override
    public void stop() {
        // A run takes no time.
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
