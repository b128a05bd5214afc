package dev.weir.lab.check;

/**
 * How a check ended, with all it found until then.
 *
 * @param why one sentence
 */
public record CheckOutcome(CheckResult result, Ending ending, String why) {

    /** How it ended. */
    public enum Ending {
        /** The interval is as narrow as asked for and both ends are confirmed. */
        SETTLED,
        /** The time budget, or what the service allowed, did not suffice for that. */
        UNSETTLED,
        /** It was stopped. */
        STOPPED,
        /** The service stopped answering. */
        SERVICE_LOST
    }
}
