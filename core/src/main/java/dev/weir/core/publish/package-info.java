/**
 * Events to Kafka in batches: bounded, in order per key, retried at the head, never blocking the caller.
 * {@link dev.weir.core.publish.BatchingPublisher} is the entry, {@link dev.weir.core.publish.KafkaTransports} its way to Kafka.
 */
@NullMarked
package dev.weir.core.publish;

import org.jspecify.annotations.NullMarked;
