package dev.weir.core.publish;

/** Makes a transport: at the start, and after each that broke. */
@FunctionalInterface
public interface TransportFactory {

    /**
     * A new one. Does not wait for a broker to answer.
     *
     * @throws RuntimeException if its settings are wrong or its servers' names cannot be resolved
     */
    Transport create();
}
