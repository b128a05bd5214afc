/**
 * Events written in the transaction they belong to, and delivered after its commit, at least once, in order per key:
 * {@link dev.weir.core.outbox.Outbox} writes them, {@link dev.weir.core.outbox.Relay} delivers them.
 */
@NullMarked
package dev.weir.core.outbox;

import org.jspecify.annotations.NullMarked;
