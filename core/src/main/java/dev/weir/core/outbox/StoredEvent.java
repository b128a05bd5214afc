package dev.weir.core.outbox;

import dev.weir.core.publish.Event;

/**
 * An event read from the table.
 *
 * @param row its number in the table, in the order of adding
 * @param keyHash equal for equal keys of a topic
 * @param attempts how often it has failed
 * @param event with its id
 */
public record StoredEvent(long row, int keyHash, int attempts, Event event) {}
