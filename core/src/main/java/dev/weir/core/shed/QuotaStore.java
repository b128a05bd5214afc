package dev.weir.core.shed;

import java.util.List;

/**
 * Where the instances of a service add up what callers took of their quotas. Asked by one thread at a time, from time to time; may
 * block, since no request waits for it.
 */
public interface QuotaStore {

    /**
     * What one caller took here since it was told last.
     *
     * @param key see {@link Caller#key}; the same on all instances
     * @param requests above 0
     */
    record Taken(long key, int requests) {}

    /**
     * How the callers stand now, with what all instances took.
     *
     * @param instances how many instances tell this store, at least 1
     * @param aheadNanos for each caller how far in the future its next request is due, 0 or above, if it keeps exactly to its rate
     */
    record Standing(int instances, List<Long> aheadNanos) {}

    /**
     * Adds up.
     *
     * @param taken may be empty
     * @param intervalNanos between two requests of a caller that keeps exactly to its rate
     * @throws Exception where it does not answer; what was told is then forgotten
     */
    Standing add(List<Taken> taken, long intervalNanos) throws Exception;
}
