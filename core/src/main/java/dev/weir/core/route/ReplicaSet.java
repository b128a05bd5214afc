package dev.weir.core.route;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * Which replica takes a read. Fed with samples, failures and the time; knows no connection and no clock.
 *
 * <p>A replica serves from its first good sample on, which it cannot have before the primary has told a position that it has
 * replayed: until then its age is unknown. It is ejected when it fails several times in a row, falls too far
 * behind, or is no standby of the primary any more, and comes back by good samples in a row, then with a share that rises slowly, since
 * its caches are cold. It must come within half of the allowed lag first, so that one at the edge does not flap.
 *
 * <p>Threads: whatever changes the state holds this object's lock; {@link #choose} reads one immutable {@link View} per
 * replica and takes none, so a choice may rest on a view that is being replaced. That is harmless: positions only tell
 * what a replica had already replayed, and a failure met later is handled where it is met.
 */
public final class ReplicaSet {

    /** A lag or an age that nobody can tell: it may be anything. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /** How a replica stands. */
    public enum State {
        /** Not measured yet, or of an age that cannot be told yet; takes no reads. */
        NEW,
        SERVING,
        /** Back, with a share that still rises. */
        WARMING,
        /** Takes no reads because it failed. */
        FAILED,
        /** Takes no reads because it is too far behind. */
        BEHIND,
        /** Takes no reads because it is not a standby: it was promoted, or the address is wrong. */
        NOT_A_STANDBY,
        /** Takes no reads because its data are not those of the primary: it belongs to another database cluster. */
        OTHER_CLUSTER;

        /** Whether a replica in this state takes reads. */
        public boolean serves() {
            return this == SERVING || this == WARMING;
        }
    }

    /**
     * A replica at one moment.
     *
     * @param replayLsn the last position known to be replayed
     * @param lagBytes behind the primary at the time of the sample; {@link #UNKNOWN} before both have answered, and while it
     *     fails or is no standby of this primary
     * @param ageNanos how old a state it showed then, at most, by what was known of the primary; {@link #UNKNOWN} as well
     * @param sinceNanos when it entered the state
     */
    public record View(State state, long replayLsn, long lagBytes, long ageNanos, long sinceNanos) {

        private static final View FIRST = new View(State.NEW, Lsn.NONE, UNKNOWN, UNKNOWN, 0);

        /** Whether it is known how far the replica is behind. */
        public boolean isLagKnown() {
            return lagBytes != UNKNOWN;
        }

        /** How far the replica is behind, for people. */
        public String lag() {
            return isLagKnown() ? lagBytes + " bytes behind" : "lag unknown";
        }
    }

    /** What {@link #choose} came to. */
    public sealed interface Choice {}

    /**
     * This replica.
     *
     * @param index its place in the list
     */
    public record Take(int index) implements Choice {}

    /** Replicas serve, but none has replayed what the reader needs yet. */
    public record AllBehind() implements Choice {}

    /** No replica serves. */
    public record NoneServes() implements Choice {}

    private static final Choice ALL_BEHIND = new AllBehind();
    private static final Choice NONE_SERVES = new NoneServes();
    private static final double LEAST_SHARE = 0.05;
    private static final int MOST_REPLICAS = 32;

    private final ReplicaPolicy policy;
    private final long maxAgeNanos;
    private final long slowStartNanos;
    private final List<String> names;
    private final Member[] members;
    private final Choice[] takes;
    private final PrimaryHistory primary;

    private static final class Member {
        private final double weight;
        private final AtomicInteger active = new AtomicInteger();
        private volatile View view = View.FIRST;
        private int failures;
        private int goodSamples;

        Member(double weight) {
            this.weight = weight;
        }
    }

    /**
     * @param names 0 to 32 names
     * @param weights of each, above 0; a share is proportional to it
     */
    public ReplicaSet(List<String> names, List<Double> weights, ReplicaPolicy policy) {
        if (names.size() > MOST_REPLICAS || names.size() != weights.size()) {
            throw new IllegalArgumentException("%d replicas with %d weights were given; up to %d are possible."
                    .formatted(names.size(), weights.size(), MOST_REPLICAS));
        }
        this.policy = policy;
        this.maxAgeNanos = policy.maxLag().toNanos();
        this.slowStartNanos = policy.slowStart().toNanos();
        this.names = List.copyOf(names);
        this.members = weights.stream().map(Member::new).toArray(Member[]::new);
        this.takes = new Choice[members.length];
        for (int i = 0; i < takes.length; i++) {
            takes[i] = new Take(i);
        }
        this.primary = new PrimaryHistory(2 * maxAgeNanos);
    }

    /** The names, in order. */
    public List<String> names() {
        return names;
    }

    /** How a replica stands, as last measured. */
    public View view(int index) {
        return members[index].view;
    }

    /** Reads that a replica serves right now. */
    public int active(int index) {
        return members[index].active.get();
    }

    /** Where the primary stood when last seen; {@link Lsn#NONE} before. */
    public synchronized long primaryLsn() {
        return primary.latestLsn();
    }

    /**
     * The primary stood there at this time, or was beyond it.
     *
     * @param askedNanos when the question went out, so that all that was committed before is in the position
     */
    public synchronized void primaryAt(long lsn, long askedNanos) {
        primary.add(lsn, askedNanos);
    }

    /**
     * A replica answered.
     *
     * @param standby whether it is in recovery
     * @return whether it left service by this
     */
    public synchronized boolean sampled(int index, long replayLsn, boolean standby, long nowNanos) {
        Member member = members[index];
        View before = member.view;
        member.failures = 0;
        if (!standby) {
            member.goodSamples = 0;
            return enter(member, State.NOT_A_STANDBY, before.replayLsn(), UNKNOWN, UNKNOWN, nowNanos);
        }
        long lagBytes = primary.latestLsn() == Lsn.NONE ? UNKNOWN : Math.max(0, primary.latestLsn() - replayLsn);
        long ageNanos = primary.ageNanos(replayLsn);
        member.goodSamples = isWithin(2, lagBytes, ageNanos) ? member.goodSamples + 1 : 0;
        return enter(member, next(member, lagBytes, ageNanos, nowNanos), replayLsn, lagBytes, ageNanos, nowNanos);
    }

    /**
     * A replica answered, and belongs to another cluster than the primary.
     *
     * @return whether it left service by this
     */
    public synchronized boolean foreign(int index, long nowNanos) {
        Member member = members[index];
        member.failures = 0;
        member.goodSamples = 0;
        return enter(member, State.OTHER_CLUSTER, member.view.replayLsn(), UNKNOWN, UNKNOWN, nowNanos);
    }

    private State next(Member member, long lagBytes, long ageNanos, long nowNanos) {
        View view = member.view;
        return switch (view.state()) {
            case NEW -> first(lagBytes, ageNanos);
            case SERVING -> isWithin(1, lagBytes, ageNanos) ? State.SERVING : State.BEHIND;
            case WARMING -> {
                boolean warm = nowNanos - view.sinceNanos() >= slowStartNanos;
                yield isWithin(1, lagBytes, ageNanos) ? (warm ? State.SERVING : State.WARMING) : State.BEHIND;
            }
            case FAILED, BEHIND, NOT_A_STANDBY, OTHER_CLUSTER -> {
                boolean back = member.goodSamples >= policy.goodSamples();
                yield back ? State.WARMING : isWithin(1, lagBytes, ageNanos) ? view.state() : State.BEHIND;
            }
        };
    }

    private State first(long lagBytes, long ageNanos) {
        if (isWithin(1, lagBytes, ageNanos)) {
            return State.SERVING;
        }
        boolean tooFar = lagBytes > policy.maxLagBytes() || ageNanos != UNKNOWN;
        return tooFar && lagBytes != UNKNOWN ? State.BEHIND : State.NEW;
    }

    /** Whether the lag is within this fraction of what is allowed. */
    private boolean isWithin(int part, long lagBytes, long ageNanos) {
        return lagBytes <= policy.maxLagBytes() / part && ageNanos <= maxAgeNanos / part;
    }

    /**
     * A replica did not answer, or a connection to it broke.
     *
     * @return whether it left service by this
     */
    public synchronized boolean failed(int index, long nowNanos) {
        Member member = members[index];
        member.goodSamples = 0;
        member.failures++;
        if (member.failures < policy.failures()) {
            return false;
        }
        return enter(member, State.FAILED, member.view.replayLsn(), UNKNOWN, UNKNOWN, nowNanos);
    }

    private static boolean enter(
            Member member, State state, long replayLsn, long lagBytes, long ageNanos, long nowNanos) {
        View before = member.view;
        long since = state == before.state() ? before.sinceNanos() : nowNanos;
        member.view = new View(state, replayLsn, lagBytes, ageNanos, since);
        return before.state().serves() && !state.serves();
    }

    /** The weights of those that serve together, with what slow starts leave of them. */
    double shares(long nowNanos) {
        double total = 0;
        for (Member member : members) {
            View view = member.view;
            total += view.state().serves() ? share(member, view, nowNanos) : 0;
        }
        return total;
    }

    /**
     * Chooses by weight: draws two of those that serve and have replayed enough, and takes the one with fewer reads at
     * work for its weight (the power of two choices, Mitzenmacher 2001,
     * https://www.eecs.harvard.edu/~michaelm/postscripts/tpds2001.pdf).
     *
     * @param neededLsn what must be replayed
     * @param excluded bit i set: not replica i
     * @param random answers a number from 0 to below its argument
     */
    public Choice choose(long neededLsn, int excluded, long nowNanos, IntUnaryOperator random) {
        boolean anyServes = false;
        double total = 0;
        for (int i = 0; i < members.length; i++) {
            View view = members[i].view;
            if ((excluded & 1 << i) == 0 && view.state().serves()) {
                anyServes = true;
                total += view.replayLsn() >= neededLsn ? share(members[i], view, nowNanos) : 0;
            }
        }
        if (total == 0) {
            return anyServes ? ALL_BEHIND : NONE_SERVES;
        }
        int one = draw(neededLsn, excluded, nowNanos, total * random.applyAsInt(1 << 20) / (1 << 20));
        int other = draw(neededLsn, excluded, nowNanos, total * random.applyAsInt(1 << 20) / (1 << 20));
        if (one < 0 || other < 0) {
            // A view was replaced between the two passes.
            return Math.max(one, other) < 0 ? NONE_SERVES : takes[Math.max(one, other)];
        }
        return takes[load(one) <= load(other) ? one : other];
    }

    /** Reads at work for its weight. */
    double load(int index) {
        return members[index].active.get() / members[index].weight;
    }

    private double share(Member member, View view, long nowNanos) {
        if (view.state() != State.WARMING || slowStartNanos == 0) {
            return member.weight;
        }
        double risen = (double) (nowNanos - view.sinceNanos()) / slowStartNanos;
        return member.weight * Math.clamp(risen, LEAST_SHARE, 1);
    }

    private int draw(long neededLsn, int excluded, long nowNanos, double point) {
        double left = point;
        int last = -1;
        for (int i = 0; i < members.length; i++) {
            View view = members[i].view;
            if ((excluded & 1 << i) == 0 && view.state().serves() && view.replayLsn() >= neededLsn) {
                last = i;
                left -= share(members[i], view, nowNanos);
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }

    /** A read starts on this replica; call {@link #ended} after it. */
    public void started(int index) {
        members[index].active.incrementAndGet();
    }

    /** A read on this replica ended. */
    public void ended(int index) {
        members[index].active.decrementAndGet();
    }
}
