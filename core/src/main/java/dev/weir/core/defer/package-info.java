/**
 * Work that may be lost and must never hold a request: {@link dev.weir.core.defer.BestEffort}. For work that must not be lost there is
 * the outbox.
 */
@NullMarked
package dev.weir.core.defer;

import org.jspecify.annotations.NullMarked;
