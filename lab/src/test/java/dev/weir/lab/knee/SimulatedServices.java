package dev.weir.lab.knee;

import java.util.Random;

/** The services a search is tried on, each with a capacity known from theory. */
final class SimulatedServices {
    private static final SimulatedService.Speed STEADY = (time, inService) -> 1;
    private static final SimulatedService.Gate OPEN = time -> true;

    /** c workers, each request exactly {@code seconds}: capacity c / seconds. */
    static SimulatedService fixed(int workers, double seconds, long seed) {
        return new SimulatedService(workers, random -> seconds, STEADY, OPEN, seed);
    }

    /** c workers, exponential service: capacity c / mean. */
    static SimulatedService exponential(int workers, double mean, long seed) {
        return new SimulatedService(workers, exponential(mean), STEADY, OPEN, seed);
    }

    /** Stands still for the first second of every ten: nine tenths of the capacity. */
    static SimulatedService freezing(int workers, double seconds, long seed) {
        double phase = 10 * new Random(seed).nextDouble();
        return new SimulatedService(
                workers, random -> seconds, (time, inService) -> (time + phase) % 10 < 1 ? 0 : 1, OPEN, seed);
    }

    /** Refuses at once what exceeds a token bucket of a quarter of a second. */
    static SimulatedService cliff(double perSecond, long seed) {
        double depth = perSecond / 4;
        double[] bucket = {depth, 0};
        return new SimulatedService(
                100,
                random -> 0.005,
                STEADY,
                time -> {
                    bucket[0] = Math.min(depth, bucket[0] + (time - bucket[1]) * perSecond);
                    bucket[1] = time;
                    if (bucket[0] < 1) {
                        return false;
                    }
                    bucket[0]--;
                    return true;
                },
                seed);
    }

    /** Works the slower the more requests wait, down to half: throughput falls with overload. */
    static SimulatedService retrograde(int workers, double seconds, long seed) {
        return new SimulatedService(
                workers,
                random -> seconds,
                (time, inService) -> 1 / (1 + Math.clamp((inService - 40.0 * workers) / (20.0 * workers), 0, 1)),
                OPEN,
                seed);
    }

    /** Starts at a quarter of its speed and is warm after a minute. */
    static SimulatedService warmingUp(int workers, double seconds, double warmAfter, long seed) {
        return new SimulatedService(
                workers,
                random -> seconds,
                (time, inService) -> Math.min(1, 0.25 + 0.75 * time / warmAfter),
                OPEN,
                seed);
    }

    /** A neighbour takes half of the machine for five seconds, once, at a random time within the first 80. */
    static SimulatedService disturbed(int workers, double seconds, long seed) {
        double from = 80 * new Random(seed).nextDouble();
        return new SimulatedService(
                workers, random -> seconds, (time, inService) -> time >= from && time < from + 5 ? 0.5 : 1, OPEN, seed);
    }

    static SimulatedService.Work exponential(double mean) {
        return random -> -Math.log(1 - random.nextDouble()) * mean;
    }

    private SimulatedServices() {}
}
