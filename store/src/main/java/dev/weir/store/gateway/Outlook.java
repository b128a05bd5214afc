package dev.weir.store.gateway;

import java.time.Duration;

/**
 * What estimates reckon with, as the sender last saw it. Immutable, so that who accepts messages does not wait for who sends them.
 *
 * @param perSecond messages this instance sends a second, above 0
 * @param way from a message's acceptance to its being read for sending
 * @param send how long the provider takes for one message
 * @param measured whether way and send are more than assumptions
 */
record Outlook(double perSecond, Duration way, Duration send, boolean measured) {}
