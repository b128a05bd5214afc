package dev.weir.lab.compare;

/**
 * Student's t for whole degrees of freedom. Source of the sums: Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.7.3 and 26.7.4.
 */
final class StudentT {
    private static final double WIDEST = 1_000;

    /**
     * The t that a share of the distribution lies beyond, both tails together.
     *
     * @param bothTails the share, for example 0.05
     * @param freedom degrees of freedom, 1 or more
     */
    static double quantile(double bothTails, int freedom) {
        double low = 0;
        double high = WIDEST;
        while (high - low > 1e-9 * high) {
            double middle = (low + high) / 2;
            if (1 - shareWithin(middle, freedom) > bothTails) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The share of the distribution between -t and t. */
    static double shareWithin(double t, int freedom) {
        double angle = Math.atan(t / Math.sqrt(freedom));
        double cosine = Math.cos(angle);
        boolean odd = freedom % 2 == 1;
        double term = odd ? cosine : 1;
        double sum = freedom == 1 ? 0 : term;
        for (int k = odd ? 3 : 2; k <= freedom - 2; k += 2) {
            term *= cosine * cosine * (k - 1) / k;
            sum += term;
        }
        double series = Math.sin(angle) * sum;
        return odd ? 2 / Math.PI * (angle + series) : series;
    }

    private StudentT() {}
}
