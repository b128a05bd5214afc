package dev.weir.core.shed;

/**
 * Who asks.
 *
 * @param priority of the request
 * @param key the same for all requests of one user, session or client; it decides the cohort, the quota and the jitter
 *     of Retry-After. Take {@link CallerKeys} to make one of a name; a random number where nothing is known
 */
public record Caller(Priority priority, long key) {}
