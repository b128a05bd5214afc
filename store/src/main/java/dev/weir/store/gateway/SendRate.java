package dev.weir.store.gateway;

/**
 * What is really sent a second, for estimates: the permitted pace, or what was measured below it while there was more to send than went
 * out. Fed once a second. Not safe for several threads.
 */
final class SendRate {

    private static final double NEW_SHARE = 0.3;
    private static final double LEAST_SHARE = 0.01;

    private double measuredPerSecond = Double.NaN;

    /**
     * One second has passed.
     *
     * @param sent in it
     * @param backlogged whether messages waited all the time; a second without a backlog tells nothing about what is possible
     * @return messages a second to reckon with, above 0 and at most the permitted pace
     */
    double second(long sent, boolean backlogged, double permittedPerSecond) {
        if (!backlogged || sent == 0) {
            // Nothing sent at all is a standstill, which estimates count in seconds and not as a rate.
            measuredPerSecond = backlogged ? measuredPerSecond : Double.NaN;
        } else if (Double.isNaN(measuredPerSecond)) {
            measuredPerSecond = permittedPerSecond + NEW_SHARE * (sent - permittedPerSecond);
        } else {
            measuredPerSecond += NEW_SHARE * (sent - measuredPerSecond);
        }
        return Double.isNaN(measuredPerSecond)
                ? permittedPerSecond
                : Math.clamp(measuredPerSecond, LEAST_SHARE * permittedPerSecond, permittedPerSecond);
    }
}
