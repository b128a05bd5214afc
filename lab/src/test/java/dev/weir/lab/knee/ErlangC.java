package dev.weir.lab.knee;

/** Exact figures of the M/M/c queue (Kleinrock, Queueing Systems 1, 1975, section 3.5). */
final class ErlangC {

    /** The arrival rate at which a percentile of the time in the system equals a bound. */
    static double rateAtPercentile(int workers, double meanSeconds, double percentile, double boundSeconds) {
        double low = 0;
        double high = workers / meanSeconds;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if (longerThan(workers, meanSeconds, middle, boundSeconds) > 1 - percentile / 100) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** Probability that a request takes longer than {@code seconds}, waiting included. */
    static double longerThan(int workers, double meanSeconds, double rate, double seconds) {
        double mu = 1 / meanSeconds;
        double wait = probabilityOfWaiting(workers, rate * meanSeconds);
        double spare = workers * mu - rate;
        // Service alone, plus service and an exponential wait together where there was one.
        return (1 - wait) * Math.exp(-mu * seconds)
                + wait * (spare * Math.exp(-mu * seconds) - mu * Math.exp(-spare * seconds)) / (spare - mu);
    }

    static double probabilityOfWaiting(int workers, double load) {
        double term = 1;
        double sum = 1;
        for (int k = 1; k < workers; k++) {
            term *= load / k;
            sum += term;
        }
        double last = term * load / workers * workers / (workers - load);
        return last / (sum + last);
    }

    private ErlangC() {}
}
