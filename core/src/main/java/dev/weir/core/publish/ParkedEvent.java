package dev.weir.core.publish;

/**
 * An event that was taken and could not be delivered.
 *
 * @param event as it was given, with its id
 * @param reason why it could not
 */
public record ParkedEvent(Event event, String reason) {}
