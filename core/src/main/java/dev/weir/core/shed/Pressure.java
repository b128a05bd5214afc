package dev.weir.core.shed;

/**
 * One number from 0 to 1 for how near the service is to refusing, and the stage of degradation that follows from it. Rises
 * at once, falls by half in about a third of a second; a stage is entered at its threshold and left only after the pressure has
 * been clearly below it for a while. Pure: fed with numbers, not thread-safe.
 */
public final class Pressure {

    /** As long as nobody is refused the pressure stays below this, however busy everything is. */
    static final double REFUSING = 0.95;

    private static final double LEAVE_BELOW = 0.15;
    private static final double LEAVE_SECONDS = 2;
    private static final double OCCUPANCY_FROM = 0.5;
    private static final double MOST_UNREFUSED = 0.94;
    private static final double FALL_SECONDS = 0.5;

    private double value;
    private Stage stage = Stage.NORMAL;
    private double calmSeconds;

    /**
     * Takes a window in.
     *
     * @param seconds its length
     * @param occupancy requests in flight over the limit
     * @param strain 0 to 1, from outside signals
     * @param refusing whether anybody was refused for overload
     */
    public void window(double seconds, double occupancy, double strain, boolean refusing) {
        double now = refusing
                ? 1
                : MOST_UNREFUSED * Math.max(SignalBounds.ramp(occupancy, OCCUPANCY_FROM, 1), Math.clamp(strain, 0, 1));
        value = now >= value ? now : now + (value - now) * Math.exp(-seconds / FALL_SECONDS);
        degrade(seconds);
    }

    private void degrade(double seconds) {
        Stage due = due(value);
        if (due.compareTo(stage) > 0) {
            stage = due;
            calmSeconds = 0;
        } else if (value < stage.pressure() - LEAVE_BELOW) {
            calmSeconds += seconds;
            leave();
        } else {
            calmSeconds = 0;
        }
    }

    private void leave() {
        if (calmSeconds >= LEAVE_SECONDS) {
            stage = due(value + LEAVE_BELOW);
            calmSeconds = 0;
        }
    }

    private static Stage due(double value) {
        Stage due = Stage.NORMAL;
        for (Stage stage : Stage.values()) {
            if (value >= stage.pressure()) {
                due = stage;
            }
        }
        return due;
    }

    /** 0 to 1. */
    public double value() {
        return value;
    }

    /** What to give up now. */
    public Stage stage() {
        return stage;
    }
}
