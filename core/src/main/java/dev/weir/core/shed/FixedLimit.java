package dev.weir.core.shed;

/** A limit that stays. */
record FixedLimit(int limit) implements LimitRule {

    @Override
    public int update(Window window, double downstream, double strain) {
        return limit;
    }
}
