package dev.weir.core.watch;

/** The settings as a budget reads them: by kind, in nanoseconds. */
final class Limits {

    private final WatchConfig.Many many;
    private final long requestNanos;
    private final long[] nanos = new long[Kind.all().length];

    Limits(WatchConfig config) {
        this.many = config.many();
        this.requestNanos = config.slow().request().toNanos();
        for (Kind kind : Kind.all()) {
            nanos[kind.index()] = switch (kind) {
                case SQL -> config.slow().sql().toNanos();
                case REDIS -> config.slow().redis().toNanos();
                case REMOTE -> config.slow().remote().toNanos();
                case ADMISSION, POOL, SERIALIZATION -> Long.MAX_VALUE;
            };
        }
    }

    WatchConfig.Many many() {
        return many;
    }

    long requestNanos() {
        return requestNanos;
    }

    /** Above it a call of this kind is an offence. */
    long ofKind(Kind kind) {
        return nanos[kind.index()];
    }

    Offence offenceOf(Kind kind) {
        return switch (kind) {
            case SQL -> Offence.SQL;
            case REDIS -> Offence.REDIS;
            case REMOTE -> Offence.REMOTE;
            case ADMISSION, POOL, SERIALIZATION ->
                throw new IllegalArgumentException("There is no threshold for " + kind + ".");
        };
    }
}
