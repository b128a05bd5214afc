package dev.weir.core.defer;

/**
 * What best effort has counted, and how it stands.
 *
 * @param accepted tasks taken
 * @param completed tasks that ended by themselves
 * @param failed of these, those that threw
 * @param droppedFull tasks not taken because too many waited
 * @param droppedClosed tasks not taken because it was closed
 * @param droppedAtDeadline tasks taken and never run, or interrupted, because closing had a deadline
 * @param waiting tasks waiting for their turn
 * @param running tasks running
 */
public record BestEffortStats(
        long accepted,
        long completed,
        long failed,
        long droppedFull,
        long droppedClosed,
        long droppedAtDeadline,
        int waiting,
        int running) {}
