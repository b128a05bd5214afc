/** {@code weir.publish}: events to Kafka in batches, without ever holding the thread that publishes. */
@NullMarked
package dev.weir.starter.publish;

import org.jspecify.annotations.NullMarked;
