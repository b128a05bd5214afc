package dev.weir.core.route;

import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What the router has done since its start. Any thread may read it; the sums are exact once traffic rests. */
public final class RouteCounters {

    /** Why a read went to the primary, or nowhere. */
    public enum Reason {
        /** Inside a {@link PrimaryScope}. */
        SCOPE,
        /** No replica serves. */
        NO_REPLICA,
        /** No replica had replayed the session's own writes in time. */
        NOT_REPLAYED,
        /** A replica failed before the first statement succeeded. */
        RETRY,
        /** The pools of the replicas had no connection to give in time. */
        POOL_FULL,
        /** The primary has a share of the reads, and this was in it. */
        SHARE,
        /** Refused: too many reads fell back at once. */
        REFUSED
    }

    /** How a wait for the session's own writes ended. */
    public enum Wait {
        REPLAYED,
        GAVE_UP
    }

    private final List<LongAdder> replicaReads;
    private final List<LongAdder> ejections;
    private final Map<Reason, LongAdder> primaryReads = adders(Reason.class);
    private final Map<Wait, LongAdder> waits = adders(Wait.class);
    private final LongAdder writes = new LongAdder();
    private final LongAdder retriedWrites = new LongAdder();
    private final LongAdder unknownPositions = new LongAdder();
    private final LongAdder correctedPositions = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    RouteCounters(int replicas) {
        replicaReads = Stream.generate(LongAdder::new).limit(replicas).toList();
        ejections = Stream.generate(LongAdder::new).limit(replicas).toList();
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kinds) {
        return EnumSet.allOf(kinds).stream()
                .collect(toMap(identity(), kind -> new LongAdder(), (a, b) -> a, () -> new EnumMap<>(kinds)));
    }

    private static <E> LongAdder adder(Map<E, LongAdder> adders, E kind) {
        return requireNonNull(adders.get(kind));
    }

    void readOnReplica(int index) {
        replicaReads.get(index).increment();
    }

    void readOnPrimary(Reason reason) {
        adder(primaryReads, reason).increment();
    }

    void waited(Wait outcome) {
        adder(waits, outcome).increment();
    }

    void ejected(int index) {
        ejections.get(index).increment();
    }

    void wrote() {
        writes.increment();
    }

    void retriedWrite() {
        retriedWrites.increment();
    }

    void positionUnknown() {
        unknownPositions.increment();
    }

    void positionCorrected() {
        correctedPositions.increment();
    }

    void evicted() {
        evictions.increment();
    }

    /** Reads that took this replica, or would have in a dry run. */
    public long replicaReads(int index) {
        return replicaReads.get(index).sum();
    }

    /** Reads that did not take a replica, for this reason. */
    public long primaryReads(Reason reason) {
        return adder(primaryReads, reason).sum();
    }

    /** Waits for the session's own writes that ended so. */
    public long waits(Wait outcome) {
        return adder(waits, outcome).sum();
    }

    /** How often this replica left service. */
    public long ejections(int index) {
        return ejections.get(index).sum();
    }

    /** Connections taken for anything but a read-only transaction. */
    public long writes() {
        return writes.sum();
    }

    /** Writing transactions that were moved to a fresh connection before their first statement succeeded. */
    public long retriedWrites() {
        return retriedWrites.sum();
    }

    /** Commits whose position could not be told; their sessions read from the primary. */
    public long unknownPositions() {
        return unknownPositions.sum();
    }

    /** Sessions that needed a position beyond the primary's own, which was taken for it. */
    public long correctedPositions() {
        return correctedPositions.sum();
    }

    /** How often a pool's connections were evicted because the server changed its role or was restarted. */
    public long evictions() {
        return evictions.sum();
    }
}
