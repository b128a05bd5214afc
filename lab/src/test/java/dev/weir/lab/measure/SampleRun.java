package dev.weir.lab.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A run of 10 s for tests, in which every figure is usual until a test changes it. */
public final class SampleRun {
    private double ratePerSecond = 1_000;
    private long latencyMicros = 2_000;
    private long lagMicros = 50;
    private double meanInFlight = 2;
    private double busiestThreadShare = 0.2;
    private double runDelaySeconds = 0.01;
    private double machineCpuShare = 0.5;
    private long timedOut;

    public SampleRun ratePerSecond(double value) {
        ratePerSecond = value;
        return this;
    }

    public SampleRun latencyMicros(long value) {
        latencyMicros = value;
        return this;
    }

    public SampleRun lagMicros(long value) {
        lagMicros = value;
        return this;
    }

    public SampleRun meanInFlight(double value) {
        meanInFlight = value;
        return this;
    }

    public SampleRun busiestThreadShare(double value) {
        busiestThreadShare = value;
        return this;
    }

    public SampleRun runDelaySeconds(double value) {
        runDelaySeconds = value;
        return this;
    }

    public SampleRun machineCpuShare(double value) {
        machineCpuShare = value;
        return this;
    }

    public SampleRun timedOut(long value) {
        timedOut = value;
        return this;
    }

    /** 10,000 requests, of which all but those timed out completed with status 200. */
    public Measurement measurement() {
        long offered = 10_000;
        long completed = offered - timedOut;
        return new Measurement(
                Duration.ofSeconds(10),
                ratePerSecond,
                offered,
                offered,
                completed,
                completed,
                lagMicros > 1_000 ? offered : 0,
                timedOut == 0 ? Map.of() : Map.of(FailureKind.TIMEOUT, timedOut),
                Map.of(),
                completed == 0 ? Map.of() : Map.of(200, completed),
                completed * 100,
                10,
                meanInFlight,
                histogram(latencyMicros + lagMicros, completed),
                histogram(latencyMicros, completed),
                histogram(lagMicros, offered),
                List.of(new SecondSample(0, 1_000, 1_000, 1_000, 0, meanInFlight, 2_000_000, 2_000_000)),
                new GeneratorCost(100_000_000, busiestThreadShare, (long) (runDelaySeconds * 1e9), machineCpuShare, 2));
    }

    private static Histogram histogram(long micros, long count) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(micros * 1_000, count);
        return histogram;
    }
}
