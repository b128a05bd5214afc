package dev.weir.core.outbox;

/** How one attempt to deliver an event ended. */
public sealed interface Outcome {

    /** It arrived; its row is removed. */
    record Delivered() implements Outcome {}

    /**
     * It failed for a reason of its own; counts as an attempt.
     *
     * @param reason for the operator
     */
    record Failed(String reason) implements Outcome {}

    /**
     * It can never arrive as it is: another attempt would end the same way, so it is parked at once.
     *
     * @param reason for the operator
     */
    record Refused(String reason) implements Outcome {}

    /**
     * It was not tried, or nobody knows; it is tried again and nothing is counted.
     *
     * @param reason for the log
     */
    record Postponed(String reason) implements Outcome {}
}
