package dev.weir.core.cache;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The shared layer and the channel between nodes. Nothing here blocks. Commands are sent in the order of the calls, at most
 * once; a future fails when the command was not sent, when no answer came in time or when the connection broke, and then
 * the command may have been executed or may still be.
 */
interface Remote {

    /** Called by one thread at a time for the subscription, and by any for the rest; must not block. */
    interface Listener {
        /** A new subscription is in place; what was published before it is lost. */
        void subscribed();

        /** The subscription is gone. */
        void away();

        /** The connection for commands is gone. */
        void lost();

        void message(byte[] bytes);
    }

    /** How an attempt to become the one who fills a key went. */
    sealed interface Acquired {
        /** The caller may fill with its token. Guarded: invalidated a moment ago, so replicas must not be read. */
        record Granted(boolean guarded) implements Acquired {}

        /** There is a value already; null if it cannot be read. */
        record Present(@Nullable SharedRecord found) implements Acquired {}

        /** Another one is filling it. */
        record Held(boolean guarded) implements Acquired {}
    }

    /**
     * What became of a put.
     *
     * @param stored whether the value was taken; if not, a tombstone was left in its place
     * @param receivers the subscribers that the message was handed to
     */
    record PutReply(boolean stored, long receivers) {}

    /** Begins to connect; before that nothing is answered. */
    void start(Listener listener);

    /** Connects again what is lost. Called several times per beat. */
    void upkeep();

    /** Gives up both connections, also those that seem alive; {@link #upkeep} makes new ones. */
    void giveUp();

    /** The bytes under a key; the future's value is null if there are none. */
    CompletableFuture<byte[]> get(String cache, String key);

    /** The present epoch of a cache, or null if Redis has lost it. */
    CompletableFuture<@Nullable Long> epoch(String cache);

    CompletableFuture<Acquired> acquire(String cache, String key, long epoch, long token, long leaseMillis);

    /** Replaces the record with this identity; false if another one is there by now, or none. */
    CompletableFuture<Boolean> fill(
            String cache, String key, byte[] expectedIdentity, byte type, long id, byte[] payload, long ttlMillis);

    /** Gives a lease up: whoever waits for it may load. Nobody waits for this. */
    void release(String cache, String key, byte[] identity);

    CompletableFuture<PutReply> put(
            String cache,
            String key,
            byte[] identity,
            byte[] payload,
            long ttlMillis,
            long guardMillis,
            byte[] message);

    /** Leaves a tombstone under each key and publishes; answers how many subscribers the message was handed to. */
    CompletableFuture<Long> evict(String cache, List<String> keys, long guardMillis, byte[] message);

    CompletableFuture<Long> clear(String cache, long newEpoch, byte[] message);

    /** Publishes a beat; answers each cache's epoch, which is the proposed one where there was none. */
    CompletableFuture<Map<String, Long>> beat(Map<String, Long> proposedEpochs, byte[] message);

    /** To one publisher; lost without notice if it cannot be sent. */
    void acknowledge(String publisher, byte[] message);

    /** Publishes a last message and disconnects; waits for at most a command's time. */
    void close(byte[] lastMessage);
}
