package dev.weir.core.publish;

/**
 * Where the broker has written an event.
 *
 * @param partition of its topic
 * @param offset in the partition, -1 where the broker did not tell
 */
public record Receipt(int partition, long offset) {}
