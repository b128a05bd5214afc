package dev.weir.core.publish;

/**
 * Writes a payload as bytes, on the publishing thread.
 *
 * @param <T> type of payload
 */
@FunctionalInterface
public interface Encoder<T> {

    /**
     * The payload as bytes.
     *
     * @throws Exception if it cannot be written; the event is then refused as {@link Publication.Unserialisable}
     */
    byte[] encode(T payload) throws Exception;
}
