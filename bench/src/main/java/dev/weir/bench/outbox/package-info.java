/** How fast committed events reach a broker through an outbox: Weir's, Gruelbox's transaction-outbox, a naive poller. */
@NullMarked
package dev.weir.bench.outbox;

import org.jspecify.annotations.NullMarked;
