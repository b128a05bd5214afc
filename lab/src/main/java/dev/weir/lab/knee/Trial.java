package dev.weir.lab.knee;

/**
 * A rate that was tried, and what came of it.
 *
 * @param seconds how long it was held, its weight as evidence
 * @param confirming held long enough, and stationary where it passed, to confirm an end of the interval
 */
record Trial(double ratePerSecond, int seconds, boolean confirming, Judgement judgement) {

    boolean passed() {
        return judgement.passed();
    }
}
