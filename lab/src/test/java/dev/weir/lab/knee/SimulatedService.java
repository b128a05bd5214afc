package dev.weir.lab.knee;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Predicate;

/**
 * A service in virtual time: Poisson arrivals, one queue, some workers, each request a drawn amount of work, and a speed
 * that may vary with the time of day and the queue. Time goes on from step to step.
 */
final class SimulatedService {

    /** Seconds of work of one request. */
    interface Work {
        double draw(Random random);
    }

    /** How fast work is done at a time (seconds since the first step) with so many requests in the service; 1 is normal. */
    interface Speed {
        double at(double time, int inService);
    }

    /** Whether a request is let in. */
    interface Gate {
        boolean admits(double time);
    }

    private static final double TICK = 0.02;
    private static final double DRAIN_LIMIT = 10;

    private final int workers;
    private final Work work;
    private final Speed speed;
    private final Gate gate;
    private final Random random;
    private double clock;

    SimulatedService(int workers, Work work, Speed speed, Gate gate, long seed) {
        this.workers = workers;
        this.work = work;
        this.speed = speed;
        this.gate = gate;
        random = new Random(seed);
    }

    void rest(Duration duration) {
        clock += duration.toMillis() / 1000.0;
    }

    /** Runs one step, until {@code enough} says so of the seconds so far, and lets the service drain. */
    StepObservation run(double rate, int maxSeconds, Predicate<List<StepSecond>> enough) {
        return new Run(rate, maxSeconds).go(enough);
    }

    private final class Run {
        private final double rate;
        private final int maxSeconds;
        private final double start = clock;
        private final ArrayDeque<Double> waiting = new ArrayDeque<>();
        private final PriorityQueue<double[]> busy = new PriorityQueue<>((a, b) -> Double.compare(a[0], b[0]));
        private final List<StepSecond> seconds = new ArrayList<>();
        private final List<Double> latencies = new ArrayList<>();
        private double nextArrival;
        private long offered;
        private long refused;
        private long offeredNow;
        private long answeredNow;
        private long succeededNow;
        private double inFlightArea;
        private double lastEvent;

        Run(double rate, int maxSeconds) {
            this.rate = rate;
            this.maxSeconds = maxSeconds;
            nextArrival = start + gap();
            lastEvent = start;
        }

        StepObservation go(Predicate<List<StepSecond>> enough) {
            boolean over = false;
            while (!over) {
                double end = start + seconds.size() + 1;
                advance(end, true);
                seconds.add(new StepSecond(offeredNow, answeredNow, succeededNow));
                offeredNow = 0;
                answeredNow = 0;
                succeededNow = 0;
                clock = end;
                over = seconds.size() >= maxSeconds || enough.test(seconds);
            }
            double area = inFlightArea;
            double scheduled = clock - start;
            advance(clock + DRAIN_LIMIT, false);
            long unfinished = (long) waiting.size() + busy.size();
            clock = Math.max(clock, lastEvent);
            double[] sorted =
                    latencies.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            double mean = Arrays.stream(sorted).average().orElse(Double.NaN);
            return new StepObservation(
                    rate,
                    seconds,
                    offered,
                    unfinished,
                    refused,
                    percentile -> sorted.length == 0
                            ? 0
                            : 1000 * sorted[(int) Math.min(sorted.length - 1, sorted.length * percentile / 100)],
                    area / scheduled,
                    area / scheduled / (sorted.length / scheduled * mean),
                    false,
                    unfinished == 0,
                    Duration.ofMillis((long) (1000 * (clock - start))));
        }

        private void advance(double until, boolean arriving) {
            while (true) {
                double departure = busy.isEmpty() ? Double.POSITIVE_INFINITY : busy.peek()[0];
                double arrival = arriving ? nextArrival : Double.POSITIVE_INFINITY;
                double event = Math.min(departure, arrival);
                if (event > until) {
                    inFlightArea += (until - lastEvent) * (busy.size() + waiting.size());
                    lastEvent = Math.min(until, arriving ? until : lastEvent);
                    return;
                }
                inFlightArea += (event - lastEvent) * (busy.size() + waiting.size());
                lastEvent = event;
                if (departure <= arrival) {
                    depart();
                } else {
                    arrive();
                }
            }
        }

        private void arrive() {
            double now = nextArrival;
            nextArrival += gap();
            offered++;
            offeredNow++;
            if (!gate.admits(now)) {
                refused++;
                answeredNow++;
                return;
            }
            waiting.add(now);
            startWork(now);
        }

        private void depart() {
            double[] done = busy.remove();
            latencies.add(done[0] - done[1]);
            answeredNow++;
            succeededNow++;
            startWork(done[0]);
        }

        private void startWork(double now) {
            while (busy.size() < workers && !waiting.isEmpty()) {
                double arrived = waiting.remove();
                busy.add(new double[] {finish(now, work.draw(random)), arrived});
            }
        }

        private double finish(double from, double left) {
            int inService = busy.size() + waiting.size() + 1;
            double time = from;
            double remaining = left;
            while (true) {
                double boundary = (Math.floor(time / TICK) + 1) * TICK;
                double possible = (boundary - time) * speed.at(time, inService);
                if (possible >= remaining) {
                    return time + remaining / speed.at(time, inService);
                }
                remaining -= possible;
                time = boundary + 1e-9;
            }
        }

        private double gap() {
            return -Math.log(1 - random.nextDouble()) / rate;
        }
    }
}
