package dev.weir.lab.compare;

import java.util.Locale;

/** What the comparison says about one figure. */
public sealed interface FigureResult {

    /** What was compared. */
    Figure figure();

    /** Which way it went. */
    enum Verdict {
        /** B is better: more capacity, less latency, less CPU. */
        FASTER,
        /** B is worse. */
        SLOWER,
        /** Whatever there is, it is within what this machine does by itself. */
        NO_DIFFERENCE;

        /** The word used in JSON, for example {@code no-difference}. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Compared.
     *
     * @param a A's figure, drift taken out, in the figure's unit
     * @param b B's
     * @param change b / a - 1
     * @param low lower end of the change's 95 % interval
     * @param high its upper end
     * @param floor largest relative difference between two runs of A, 0 or more
     */
    record Compared(
            Figure figure, double a, double b, double change, double low, double high, double floor, Verdict verdict)
            implements FigureResult {}

    /**
     * Measured, and too little of it to say anything.
     *
     * @param missing what there is and what it takes
     */
    record NotEnoughData(Figure figure, String missing) implements FigureResult {}

    /**
     * Not measured.
     *
     * @param why as the end of a sentence
     */
    record NotMeasured(Figure figure, String why) implements FigureResult {}
}
