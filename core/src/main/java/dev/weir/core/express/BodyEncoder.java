package dev.weir.core.express;

/** Turns a value into the bytes of a response body. Called once per entry and media type, never by the poller thread. */
@FunctionalInterface
public interface BodyEncoder<V> {

    /** The body. The array is kept and must not change afterwards. */
    byte[] encode(V value) throws Exception;
}
