package dev.weir.core.shed;

/**
 * When a request of one priority is admitted; counts include the request itself.
 *
 * @param share requests of this priority that are admitted while any place is free
 * @param borrowUpTo requests of all priorities up to which more than the share are admitted
 * @param limit requests of all priorities
 * @param cutoff of 65,536 cohorts, how many are admitted
 */
record Door(int share, int borrowUpTo, int limit, int cutoff) {

    static final int ALL_COHORTS = 1 << 16;

    boolean admits(int own, int total) {
        return total <= borrowUpTo || (own <= share && total <= limit);
    }

    boolean opensFor(long key, long salt) {
        return cutoff == ALL_COHORTS || Mix.sixteenBits(key ^ salt) < cutoff;
    }
}
