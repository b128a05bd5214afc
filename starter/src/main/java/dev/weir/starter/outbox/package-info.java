/** {@code weir.outbox}: events that are delivered if and only if the transaction that added them commits. */
@NullMarked
package dev.weir.starter.outbox;

import org.jspecify.annotations.NullMarked;
