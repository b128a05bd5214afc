package dev.weir.core.shed;

/** Why a request was refused. */
public enum RefusalReason {
    /** The limit is reached for its priority. */
    LIMIT(0, 503),
    /** Its cohort is refused for a while, so that the others of its priority are served reliably. */
    COHORT(1, 503),
    /** The limit is reached and so is the number that may wait. */
    QUEUE_FULL(2, 503),
    /** It waited for a place until its deadline. */
    QUEUE_TIMEOUT(3, 503),
    /** The waiting thread was interrupted; its interrupt flag is set. */
    INTERRUPTED(4, 503),
    /** The caller used up its own quota. */
    QUOTA(5, 429);

    private static final RefusalReason[] ALL = values();

    static final int COUNT = ALL.length;

    private final int index;
    private final int status;

    RefusalReason(int index, int status) {
        this.index = index;
        this.status = status;
    }

    /** The HTTP status that says it: 503 for overload, 429 where the caller alone is over its quota. */
    public int status() {
        return status;
    }

    int index() {
        return index;
    }

    static RefusalReason at(int index) {
        return ALL[index];
    }
}
