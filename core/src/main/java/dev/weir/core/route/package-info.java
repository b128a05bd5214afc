/**
 * Read-only transactions go to replicas that are healthy and recent enough, everything else to the primary.
 *
 * <p>{@link dev.weir.core.route.ReplicaSet} decides and is fed with numbers; {@link dev.weir.core.route.Router} borrows,
 * waits and retries; {@link dev.weir.core.route.ServerProbe} measures. A session's own writes travel in a
 * {@link dev.weir.core.route.RouteSession}, between requests as a token of {@link dev.weir.core.route.SessionTokens}.
 */
@NullMarked
package dev.weir.core.route;

import org.jspecify.annotations.NullMarked;
