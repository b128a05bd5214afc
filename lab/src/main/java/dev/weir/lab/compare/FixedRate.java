package dev.weir.lab.compare;

/** Chooses the rate both sides are measured at. */
final class FixedRate {

    /** A share of a capacity, rounded to two digits so that it can be told and asked for again; above 0. */
    static double of(double capacityPerSecond, double share) {
        double rate = capacityPerSecond * share;
        double digit = Math.pow(10, Math.floor(Math.log10(rate)) - 1);
        return Math.max(1, Math.round(rate / digit) * digit);
    }

    private FixedRate() {}
}
