package dev.weir.core.publish;

/**
 * What a publisher has counted since it was made, and how it stands.
 *
 * @param accepted events taken into the buffer
 * @param acknowledged events written to all in-sync replicas
 * @param refusedFull calls refused for want of room
 * @param refusedOversized calls refused because the event was too large
 * @param refusedUnserialisable calls refused because the encoder threw
 * @param refusedTopic calls refused because their topic takes no events
 * @param refusedClosed calls refused because the publisher was closed
 * @param failed accepted events that were refused later, by the broker or with their topic
 * @param givenUp accepted events not acknowledged within give-up-after
 * @param left accepted events not acknowledged when the publisher was closed
 * @param resent events handed over again after a transport broke; some of them may be in their topic twice
 * @param breaks transports that broke
 * @param batches batches handed over
 * @param waiting events accepted and not handed over
 * @param inFlight events handed over and not acknowledged
 * @param heldBytes bytes of both
 * @param topicsOnHold topics whose events wait for the broker or for the topic to appear
 * @param pressure how full the buffer is by events or bytes, whichever is fuller, 0 to 1
 */
public record PublisherStats(
        long accepted,
        long acknowledged,
        long refusedFull,
        long refusedOversized,
        long refusedUnserialisable,
        long refusedTopic,
        long refusedClosed,
        long failed,
        long givenUp,
        long left,
        long resent,
        long breaks,
        long batches,
        int waiting,
        int inFlight,
        long heldBytes,
        int topicsOnHold,
        double pressure) {}
