package dev.weir.store.provider;

import java.util.random.RandomGenerator;

/**
 * How one endpoint of the provider behaves.
 *
 * @param latencyMillis how long an answer takes at least, 0 to 600,000
 * @param jitterMillis evenly distributed time on top, 0 to 600,000
 * @param failureRate share of calls answered with 500 before anything is done, 0 to 1
 * @param declineRate share of calls refused for a reason of the business (402), 0 to 1
 * @param limitPerSecond calls taken in one second before the rest gets 429; 0 is no limit
 */
record Behaviour(int latencyMillis, int jitterMillis, double failureRate, double declineRate, int limitPerSecond) {

    static final Behaviour DEFAULT = new Behaviour(50, 0, 0, 0, 0);

    private static final int LONGEST_MILLIS = 600_000;

    Behaviour {
        requireRange("latencyMillis", latencyMillis, LONGEST_MILLIS);
        requireRange("jitterMillis", jitterMillis, LONGEST_MILLIS);
        requireRange("failureRate", failureRate, 1);
        requireRange("declineRate", declineRate, 1);
        requireRange("limitPerSecond", limitPerSecond, 1_000_000);
    }

    /** This behaviour with one setting changed, named as in the record. */
    Behaviour with(String setting, double value) {
        return switch (setting) {
            case "latencyMillis" ->
                new Behaviour(whole(setting, value), jitterMillis, failureRate, declineRate, limitPerSecond);
            case "jitterMillis" ->
                new Behaviour(latencyMillis, whole(setting, value), failureRate, declineRate, limitPerSecond);
            case "failureRate" -> new Behaviour(latencyMillis, jitterMillis, value, declineRate, limitPerSecond);
            case "declineRate" -> new Behaviour(latencyMillis, jitterMillis, failureRate, value, limitPerSecond);
            case "limitPerSecond" ->
                new Behaviour(latencyMillis, jitterMillis, failureRate, declineRate, whole(setting, value));
            default ->
                throw new IllegalArgumentException("There is no setting '" + setting + "': use latencyMillis, "
                        + "jitterMillis, failureRate, declineRate or limitPerSecond.");
        };
    }

    long delayMillis(RandomGenerator random) {
        return (long) latencyMillis + (jitterMillis == 0 ? 0 : random.nextInt(jitterMillis + 1));
    }

    private static int whole(String setting, double value) {
        if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(setting + " is " + value + ": give a whole number.");
        }
        return (int) value;
    }

    private static void requireRange(String setting, double value, double max) {
        if (!(value >= 0 && value <= max)) {
            throw new IllegalArgumentException(
                    setting + " is " + value + ": give a number from 0 to " + (max == 1 ? "1" : (int) max) + ".");
        }
    }
}
