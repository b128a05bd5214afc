package dev.weir.core.shed;

/** What a request is worth when not all can be served, most important first. */
public enum Priority {
    /** May take every place, also those kept free for it. */
    CRITICAL(0),
    /** What is not classified. */
    NORMAL(1),
    /** Refused first. */
    LOW(2);

    private static final Priority[] ALL = values();

    static final int COUNT = ALL.length;

    private final int index;

    Priority(int index) {
        this.index = index;
    }

    /** From 0 on in the order of importance. */
    int index() {
        return index;
    }

    static Priority at(int index) {
        return ALL[index];
    }
}
