package dev.weir.lab.compare;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * One run of one side, for one figure, second by second.
 *
 * @param position the run's place in the schedule, from 0
 * @param seconds in the order they passed; two or more
 * @param geometric whether the run's figure is the geometric mean of amount / per over the seconds, or else the sum of
 *     the amounts / the sum of the pers
 */
record RunSeries(Side side, int position, List<Second> seconds, boolean geometric) {

    /**
     * One second: an amount (requests, nanoseconds of CPU) per something (a second, a request); both above 0.
     */
    record Second(double amount, double per) {}

    RunSeries {
        seconds = List.copyOf(seconds);
    }

    int size() {
        return seconds.size();
    }

    /** Natural logarithm of the run's figure. */
    double log() {
        return log(second -> second);
    }

    /** Natural logarithm of the figure of a resample of the same length, whose second i is {@code pick(i)}. */
    double log(IntUnaryOperator pick) {
        return geometric ? geometricLog(pick) : ratioLog(pick);
    }

    private double ratioLog(IntUnaryOperator pick) {
        double amount = 0;
        double per = 0;
        for (int i = 0; i < size(); i++) {
            Second second = seconds.get(pick.applyAsInt(i));
            amount += second.amount;
            per += second.per;
        }
        return Math.log(amount / per);
    }

    private double geometricLog(IntUnaryOperator pick) {
        double sum = 0;
        for (int i = 0; i < size(); i++) {
            Second second = seconds.get(pick.applyAsInt(i));
            sum += Math.log(second.amount / second.per);
        }
        return sum / size();
    }
}
