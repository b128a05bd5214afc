package dev.weir.core.cache;

/**
 * Taken when a read begins; worthless once any invalidation of its key, or of the whole cache, has arrived.
 *
 * @param stripe the stripe of the key
 * @param version the stripe's version when the read began
 * @param generation the cache's generation when the read began
 */
record Token(int stripe, long version, long generation) {}
