package dev.weir.lab.knee;

import java.util.List;

/**
 * Whether the requests offered and not yet answered grow during a step.
 *
 * <p>A slope alone does not tell: at exactly the service's capacity the backlog is a random walk that reaches about
 * {@code sqrt(t)} without any drift, and one freeze of the service lifts it for seconds although it is worked off
 * afterwards. So the lowest backlog of the step's last third is taken, which a freeze does not lift, and compared with
 * what a random walk would reach by chance: the variance of arrivals and completions together is at most about
 * {@code 2 rate t} (Poisson arrivals, exponential service; Whitt, Stochastic-Process Limits, 2002, chapter 9). Growth
 * must also be material and must still go on in the last third.
 *
 * @param growth requests by which the lowest backlog of the last third exceeds what is in flight at a low rate; 0 or
 *     more
 * @param overSeconds time in which it grew; 0 where the step is too short to tell
 * @param sigmas growth / what a random walk reaches by chance
 * @param deficitShare growth / requests offered in that time
 * @param goesOn the last third's lowest backlog lies clearly above the middle third's
 * @param emptied the backlog fell back to what is in flight at a low rate in the last third
 * @param last backlog at the end
 */
record Backlog(
        double growth,
        double overSeconds,
        double sigmas,
        double deficitShare,
        boolean goesOn,
        boolean emptied,
        double last) {

    private static final double SIGNIFICANT_SIGMAS = 2;
    private static final double MATERIAL_SHARE = 0.01;
    /** Latency may rise by this much between a low and a high rate without anything being wrong. */
    private static final double HARMLESS_SECONDS = 0.1;

    /** Growth beyond chance, beyond a harmless rise of latency, and not over. */
    boolean grows() {
        return sigmas >= SIGNIFICANT_SIGMAS
                && deficitShare >= Math.max(MATERIAL_SHARE, HARMLESS_SECONDS / overSeconds)
                && goesOn;
    }

    /** Growth that no noise of this kind explains. */
    boolean growsDecisively() {
        return grows() && sigmas >= 2 * SIGNIFICANT_SIGMAS && deficitShare >= 0.05;
    }

    static Backlog of(List<StepSecond> seconds, double baseMillis) {
        double[] ends = ends(seconds);
        int count = ends.length;
        if (count < 2) {
            return new Backlog(0, 0, 0, 0, false, false, count == 0 ? 0 : ends[0]);
        }
        double rate = seconds.stream().mapToDouble(StepSecond::offered).sum() / count;
        double base = rate * baseMillis / 1000;
        int third = Math.max(1, count / 3);
        int lowest = lowest(ends, count - third, count);
        double growth = Math.max(0, ends[lowest] - base);
        double overSeconds = lowest + 1;
        int before = lowest(ends, Math.max(0, count - 2 * third), count - third);
        double expectedStep = growth * (lowest - before) / overSeconds;
        return new Backlog(
                growth,
                overSeconds,
                growth / Math.sqrt(2 * rate * overSeconds + base + 1),
                rate == 0 ? 0 : growth / (rate * overSeconds),
                ends[lowest] - ends[before] > expectedStep / 4,
                growth <= Math.sqrt(rate) / 2,
                ends[count - 1]);
    }

    /** Backlog at the end of each second. */
    static double[] ends(List<StepSecond> seconds) {
        double[] ends = new double[seconds.size()];
        double backlog = 0;
        for (int i = 0; i < ends.length; i++) {
            backlog += seconds.get(i).offered() - seconds.get(i).answered();
            ends[i] = backlog;
        }
        return ends;
    }

    private static int lowest(double[] values, int from, int to) {
        int lowest = from;
        for (int i = from; i < to; i++) {
            if (values[i] < values[lowest]) {
                lowest = i;
            }
        }
        return lowest;
    }
}
