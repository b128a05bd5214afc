package dev.weir.bench.publish;

/** One way to publish, used by several threads. */
interface Way extends AutoCloseable {

    /** Publishes one event, waiting as long as this way makes its caller wait. */
    void publish(byte[] key, byte[] value) throws Exception;

    /** Events acknowledged so far. */
    long acknowledged();

    /** Events that failed so far. */
    long failed();

    /** Requests to the broker so far, of all kinds. */
    double requests();

    @Override
    void close();
}
