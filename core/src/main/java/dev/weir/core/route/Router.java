package dev.weir.core.route;

import dev.weir.core.route.Lease.OfPrimary;
import dev.weir.core.route.Lease.OfReplica;
import dev.weir.core.route.ReplicaSet.AllBehind;
import dev.weir.core.route.ReplicaSet.Choice;
import dev.weir.core.route.ReplicaSet.NoneServes;
import dev.weir.core.route.ReplicaSet.Take;
import dev.weir.core.route.RouteCounters.Reason;
import dev.weir.core.route.RouteCounters.Wait;
import dev.weir.core.route.ServerProbe.Answer;
import dev.weir.core.time.NanoClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Lends connections: for reads one of a replica that is healthy and shows what the caller's {@link RouteSession} wrote, else
 * one of the primary, which may have a share of the reads as well; for everything else one of the primary.
 *
 * <p>The two data sources belong below a proxy that asks {@link #reads} in read-only transactions and {@link #writes} in all
 * others, and that asks no sooner than the transaction has said which of the two it is. What comes from {@link #reads} is
 * read-only on every server. {@link #start} begins to watch the servers; before the first answers of the replicas all reads go to the primary.
 * Any thread may use it; {@link #close} leaves the pools open, which belong to whoever made them.
 */
public final class Router implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Router.class);
    private static final String INSERT_POSITION =
            "SELECT pg_current_wal_insert_lsn(), current_setting('wal_block_size')::int";
    private static final long EVICTION_GAP_NANOS = 1_000_000_000L;

    private final RouteConfig config;
    private final Node primary;
    private final List<Node> replicas;
    private final ReplicaSet set;
    private final RouteCounters counters;
    private final FallbackGate gate;
    private final RefusalLog refusals;
    private final Map<Integer, String> problems = new ConcurrentHashMap<>();
    private final AtomicInteger sharedReads = new AtomicInteger();
    private final Progress progress = new Progress();
    private final NanoClock clock;
    private final DataSource reads;
    private final DataSource writes;
    private volatile PrimaryState primaryState = PrimaryState.UNKNOWN;
    private volatile @Nullable Answer primaryAnswer;

    /** What is known of the primary. */
    public enum PrimaryState {
        UNKNOWN,
        UP,
        UNREACHABLE,
        /** Its address leads to a standby. */
        IS_STANDBY
    }

    private static final class Node {
        private final PooledServer server;
        private final ServerProbe probe;
        private final AtomicLong evictedNanos;

        Node(PooledServer server, ServerProbe probe, long nowNanos) {
            this.server = server;
            this.probe = probe;
            this.evictedNanos = new AtomicLong(nowNanos - EVICTION_GAP_NANOS);
        }
    }

    /**
     * @param weights of each replica, above 0
     */
    public Router(
            RouteConfig config,
            PooledServer primary,
            List<? extends PooledServer> replicas,
            List<Double> weights,
            NanoClock clock) {
        this.config = config;
        this.clock = clock;
        this.set = new ReplicaSet(replicas.stream().map(PooledServer::name).toList(), weights, config.policy());
        this.counters = new RouteCounters(replicas.size());
        this.gate = new FallbackGate(config.fallbackLimit(), config.fallbackWait());
        this.refusals = new RefusalLog(clock.nanoTime());
        this.primary = new Node(
                primary, new ServerProbe(primary, false, config, clock, new PrimaryListener()), clock.nanoTime());
        this.replicas = IntStream.range(0, replicas.size())
                .mapToObj(i -> new Node(
                        replicas.get(i),
                        new ServerProbe(replicas.get(i), true, config, clock, new ReplicaListener(i)),
                        clock.nanoTime()))
                .toList();
        this.reads =
                new RoutedDataSource(primary.pool(), this::read, "reads of " + primary.name() + " and its replicas");
        this.writes = new RoutedDataSource(primary.pool(), this::write, "writes on " + primary.name());
    }

    /** Connections for read-only transactions. */
    public DataSource reads() {
        return reads;
    }

    /** Connections for everything else. */
    public DataSource writes() {
        return writes;
    }

    /** The replicas and how they stand. */
    public ReplicaSet replicas() {
        return set;
    }

    /**
     * What is wrong with a replica: why it gave no answer when last asked, or to which cluster it belongs instead of the
     * primary's. Empty when there is nothing, or it was not asked yet.
     */
    public String replicaProblem(int index) {
        return problems.getOrDefault(index, "");
    }

    /** What happened so far. */
    public RouteCounters counters() {
        return counters;
    }

    /** How the primary stands. */
    public PrimaryState primaryState() {
        return primaryState;
    }

    /** Reads that fell back and are on the primary right now. */
    public int fallbacksInUse() {
        return gate.inUse();
    }

    /** Begins to watch the servers. Call it once. */
    public void start() {
        primary.probe.start();
        replicas.forEach(node -> node.probe.start());
    }

    /**
     * Waits until every replica has failed often enough to be ejected or answered with a state whose age is known, at most for
     * this time; an interrupt ends it and stays set.
     */
    public void awaitFirstAnswers(Duration atMost) {
        long deadlineNanos = clock.nanoTime() + atMost.toNanos();
        long seen = progress.count();
        while (isAnyNew() && progress.awaitBeyond(seen, deadlineNanos - clock.nanoTime())) {
            seen = progress.count();
        }
    }

    private boolean isAnyNew() {
        return IntStream.range(0, replicas.size()).anyMatch(i -> set.view(i).state() == ReplicaSet.State.NEW);
    }

    /** Stops watching; waits for its threads, which end within about the sample time-out. */
    @Override
    public void close() {
        primary.probe.stop();
        replicas.forEach(node -> node.probe.stop());
        primary.probe.close();
        replicas.forEach(node -> node.probe.close());
    }

    private Connection read() throws SQLException {
        return GuardedConnection.reading(this, borrowRead(0));
    }

    private Connection write() throws SQLException {
        counters.wrote();
        return GuardedConnection.writing(this, borrowPrimary(OfPrimary.NOTHING));
    }

    private Lease borrowRead(int alreadyTried) throws SQLException {
        if (PrimaryScope.isActive()) {
            counters.readOnPrimary(Reason.SCOPE);
            return readOnly(borrowPrimary(OfPrimary.NOTHING));
        }
        int tried = alreadyTried;
        boolean onlyFull = alreadyTried == 0;
        while (true) {
            switch (chooseOrWait(RouteSession.current(), tried)) {
                case Take take
                when config.dryRun() -> {
                    counters.readOnReplica(take.index());
                    return readOnly(borrowPrimary(OfPrimary.NOTHING));
                }
                case Take take
                when isPrimarys(take) -> {
                    return share();
                }
                case Take take -> {
                    try {
                        return borrowReplica(take.index());
                    } catch (SQLException noConnection) {
                        onlyFull &= !isServerGone(noConnection);
                        tried |= 1 << take.index();
                    }
                }
                case AllBehind behind -> {
                    return fallBack(Reason.NOT_REPLAYED);
                }
                case NoneServes none -> {
                    return fallBack(tried == 0 ? Reason.NO_REPLICA : onlyFull ? Reason.POOL_FULL : Reason.RETRY);
                }
            }
        }
    }

    /** Chooses; where all replicas lack the session's writes, waits a little for one to replay them. */
    private Choice chooseOrWait(@Nullable RouteSession session, int tried) {
        long neededLsn = session == null ? Lsn.NONE : session.neededLsn();
        Choice choice = choose(neededLsn, tried);
        if (!(choice instanceof AllBehind) || session == null || neededLsn == Lsn.PRIMARY_ONLY) {
            return choice;
        }
        long startNanos = clock.nanoTime();
        long waitNanos = config.replayWait().toNanos();
        long deadlineNanos = startNanos + waitNanos;
        while (choice instanceof AllBehind && deadlineNanos - clock.nanoTime() > 0) {
            long seen = progress.count();
            replicas.forEach(node -> node.probe.demand());
            if (clock.nanoTime() - startNanos >= waitNanos / 2) {
                // Most waits have ended by now, so that the primary is seldom asked more than usual.
                primary.probe.demand();
            }
            if (!progress.awaitBeyond(seen, deadlineNanos - clock.nanoTime())) {
                break;
            }
            correct(session, neededLsn, startNanos);
            choice = choose(session.neededLsn(), tried);
        }
        counters.waited(choice instanceof Take ? Wait.REPLAYED : Wait.GAVE_UP);
        return choice;
    }

    /**
     * A session cannot need what the primary, asked after the session said so, has not written: its token comes from another
     * cluster with the same key, or from a primary whose last commits a failover has lost. All that this primary has is
     * what such a session can need.
     */
    private void correct(RouteSession session, long neededLsn, long sinceNanos) {
        Answer answer = primaryAnswer;
        if (answer != null
                && answer.askedNanos() - sinceNanos >= 0
                && neededLsn > answer.neededLsn()
                && session.correct(neededLsn, answer.neededLsn())) {
            counters.positionCorrected();
            log.debug("A session's position lies beyond the primary's, which is taken for it");
        }
    }

    private Choice choose(long neededLsn, int tried) {
        return set.choose(
                neededLsn,
                tried,
                clock.nanoTime(),
                bound -> ThreadLocalRandom.current().nextInt(bound));
    }

    /**
     * Whether this read is in the primary's share: the primary takes part in the two draws of {@link ReplicaSet#choose}, and
     * where it is drawn once, the one with fewer reads at work for its weight takes the read.
     */
    private boolean isPrimarys(Take take) {
        double weight = config.primaryWeight();
        if (weight == 0 || primaryState == PrimaryState.UNREACHABLE || primaryState == PrimaryState.IS_STANDBY) {
            return false;
        }
        double part = weight / (weight + set.shares(clock.nanoTime()));
        ThreadLocalRandom random = ThreadLocalRandom.current();
        boolean one = random.nextDouble() < part;
        boolean other = random.nextDouble() < part;
        int busier = Double.compare(sharedReads.get() / weight, set.load(take.index()));
        // As much at work on both, as in light traffic: the first draw decides, so that the share is the weight's.
        return (one == other || busier == 0) ? one : busier < 0;
    }

    private Lease share() throws SQLException {
        sharedReads.incrementAndGet();
        try {
            Lease lease = readOnly(borrowPrimary(OfPrimary.SHARE));
            counters.readOnPrimary(Reason.SHARE);
            return lease;
        } catch (SQLException | RuntimeException e) {
            sharedReads.decrementAndGet();
            throw e;
        }
    }

    /** A connection of this replica; fails when it has none to give. */
    private Lease borrowReplica(int index) throws SQLException {
        Node node = replicas.get(index);
        set.started(index);
        try {
            Connection connection = node.server.pool().getConnection();
            counters.readOnReplica(index);
            return new Lease(connection, node.server.name(), new OfReplica(index));
        } catch (SQLException e) {
            set.ended(index);
            log.debug("No connection of {}", node.server.name(), e);
            if (isServerGone(e)) {
                replicaFailed(index);
            }
            node.probe.demand();
            throw e;
        } catch (RuntimeException | Error e) {
            set.ended(index);
            throw e;
        }
    }

    /** A pool that is merely exhausted names no broken connection as its cause. */
    private static boolean isServerGone(SQLException failure) {
        return failure.getCause() instanceof SQLException cause && SqlFailure.of(cause) == SqlFailure.CONNECTION;
    }

    private Lease fallBack(Reason reason) throws SQLException {
        if (config.dryRun()) {
            counters.readOnPrimary(reason);
            return readOnly(borrowPrimary(OfPrimary.NOTHING));
        }
        if (!gate.tryEnter()) {
            counters.readOnPrimary(Reason.REFUSED);
            throw refusal(reason);
        }
        try {
            Lease lease = readOnly(borrowPrimary(OfPrimary.FALLBACK));
            counters.readOnPrimary(reason);
            return lease;
        } catch (SQLException | RuntimeException e) {
            gate.leave();
            throw e;
        }
    }

    private ReplicasUnavailableException refusal(Reason reason) {
        String limit = gate.limit() == 0
                ? "weir.route.fallback.max-concurrent lets none of these on " + primary.server.name()
                : "%d of these are on %s already, all that weir.route.fallback.max-concurrent allows"
                        .formatted(gate.limit(), primary.server.name());
        String sentence =
                "No replica can take this read, since %s, and %s. Try again later.".formatted(described(reason), limit);
        refusals.refused(sentence, clock.nanoTime());
        return new ReplicasUnavailableException(sentence);
    }

    private static String described(Reason reason) {
        return switch (reason) {
            case NOT_REPLAYED -> "none has replayed the session's own writes";
            case POOL_FULL ->
                "all connections of the replicas' pools are in use and none was given back within their connection-timeout";
            case RETRY -> "those chosen failed";
            case SCOPE, SHARE, NO_REPLICA, REFUSED -> "none serves";
        };
    }

    private Lease borrowPrimary(OfPrimary held) throws SQLException {
        if (primaryState == PrimaryState.IS_STANDBY) {
            throw new PrimaryIsStandbyException(primary.server.name(), null);
        }
        return new Lease(primary.server.pool().getConnection(), primary.server.name(), held);
    }

    private static Lease readOnly(Lease lease) throws SQLException {
        try {
            lease.connection().setReadOnly(true);
            return lease;
        } catch (SQLException | RuntimeException e) {
            closeQuietly(lease.connection());
            throw e;
        }
    }

    void giveBack(Lease lease) throws SQLException {
        try {
            lease.connection().close();
        } finally {
            release(lease);
        }
    }

    private void release(Lease lease) {
        switch (lease.held()) {
            case OfReplica(int index) -> set.ended(index);
            case OfPrimary.NOTHING -> {}
            case OfPrimary.SHARE -> sharedReads.decrementAndGet();
            case OfPrimary.FALLBACK -> gate.leave();
        }
    }

    /**
     * Another connection for one whose server is gone, or null when the failure is none of the server's. When this throws, the
     * broken lease is still to be given back.
     */
    @Nullable
    Lease replace(Lease broken, boolean reads, int tried, SQLException failure) throws SQLException {
        SqlFailure kind = SqlFailure.of(failure);
        boolean gone = kind == SqlFailure.CONNECTION;
        if (!gone && !(kind == SqlFailure.CONFLICT && broken.held() instanceof OfReplica)) {
            return null;
        }
        if (gone) {
            serverGone(broken);
        }
        log.debug("{} failed before the first statement succeeded; trying again", broken.server(), failure);
        closeQuietly(broken.connection());
        if (!reads) {
            counters.retriedWrite();
            return borrowPrimary(OfPrimary.NOTHING);
        }
        return switch (broken.held()) {
            // What the broken one holds goes along.
            case OfPrimary held -> readOnly(borrowPrimary(held));
            case OfReplica(int index) -> {
                Lease next = borrowRead(tried);
                set.ended(index);
                yield next;
            }
        };
    }

    void serverGone(Lease broken) {
        Node node = switch (broken.held()) {
            case OfPrimary held -> primary;
            case OfReplica(int index) -> {
                replicaFailed(index);
                yield replicas.get(index);
            }
        };
        evict(node);
        node.probe.demand();
    }

    private void replicaFailed(int index) {
        if (set.failed(index, clock.nanoTime())) {
            counters.ejected(index);
        }
    }

    /** The other connections of the pool are gone as well, most likely; at most once a second. */
    private void evict(Node node) {
        long now = clock.nanoTime();
        long last = node.evictedNanos.get();
        if (now - last >= EVICTION_GAP_NANOS && node.evictedNanos.compareAndSet(last, now)) {
            counters.evicted();
            node.server.evict();
        }
    }

    SQLException explained(SQLException failure, Lease lease, boolean reads) {
        if (SqlFailure.of(failure) != SqlFailure.READ_ONLY) {
            return failure;
        }
        if (reads) {
            return new ReadOnlyTransactionException(lease.server(), failure);
        }
        primary.probe.demand();
        return primaryState == PrimaryState.IS_STANDBY
                ? new PrimaryIsStandbyException(lease.server(), failure)
                : failure;
    }

    /**
     * Tells the session where its commit lies. The insert position is asked for, not the written one: with
     * synchronous_commit off a commit is acknowledged before its record is written. A failure here is no failure of the
     * commit; the session then reads from the primary.
     */
    void committed(Connection connection, boolean autoCommit) {
        RouteSession session = RouteSession.current();
        if (session == null) {
            return;
        }
        try {
            session.wrote(insertPosition(connection, autoCommit));
        } catch (SQLException e) {
            counters.positionUnknown();
            log.debug("The position of a commit is unknown", e);
            session.wrote(Lsn.PRIMARY_ONLY);
        }
    }

    private static long insertPosition(Connection connection, boolean autoCommit) throws SQLException {
        if (!autoCommit) {
            // Otherwise the question would open a transaction.
            connection.setAutoCommit(true);
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(INSERT_POSITION)) {
            row.next();
            return Lsn.neededAfterInsertAt(Lsn.parse(row.getString(1)), row.getLong(2));
        } finally {
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyGone) {
            log.trace("Closing a broken connection", alreadyGone);
        }
    }

    private final class PrimaryListener implements ServerProbe.Listener {

        @Override
        public void answered(Answer answer) {
            PrimaryState before = primaryState;
            primaryState = answer.standby() ? PrimaryState.IS_STANDBY : PrimaryState.UP;
            if (!answer.standby()) {
                primaryAnswer = answer;
                set.primaryAt(answer.lsn(), answer.askedNanos());
            }
            if (before != primaryState) {
                tellChange(before);
            }
            if (answer.restarted() || (answer.standby() && before != PrimaryState.IS_STANDBY)) {
                evict(primary);
            }
            progress.made();
        }

        private void tellChange(PrimaryState before) {
            if (primaryState == PrimaryState.IS_STANDBY) {
                log.warn("weir.route: the address of {} leads to a standby; writes are refused", primary.server.name());
            } else if (before != PrimaryState.UNKNOWN) {
                log.info("weir.route: {} answers as primary again", primary.server.name());
            }
        }

        @Override
        public void failed(Exception cause) {
            if (primaryState != PrimaryState.UNREACHABLE) {
                log.warn("weir.route: {} does not answer: {}", primary.server.name(), cause.toString());
            }
            primaryState = PrimaryState.UNREACHABLE;
        }
    }

    private final class ReplicaListener implements ServerProbe.Listener {
        private final int index;
        private ReplicaSet.State told = ReplicaSet.State.NEW;

        ReplicaListener(int index) {
            this.index = index;
        }

        @Override
        public void answered(Answer answer) {
            if (placed(answer)) {
                counters.ejected(index);
            }
            if (answer.restarted()) {
                evict(replicas.get(index));
            }
            progress.made();
            tellChange();
        }

        /** Whether the replica left service by this answer. */
        private boolean placed(Answer answer) {
            Answer ofPrimary = primaryAnswer;
            String ours = ofPrimary == null ? "" : ofPrimary.cluster();
            if (!ours.isEmpty()
                    && !answer.cluster().isEmpty()
                    && !answer.cluster().equals(ours)) {
                problems.put(
                        index,
                        "it belongs to another database cluster, of system identifier %s, while the primary's is %s"
                                .formatted(answer.cluster(), ours));
                return set.foreign(index, clock.nanoTime());
            }
            problems.remove(index);
            return set.sampled(index, answer.lsn(), answer.standby(), clock.nanoTime());
        }

        @Override
        public void failed(Exception cause) {
            problems.put(index, reason(cause));
            replicaFailed(index);
            progress.made();
            tellChange();
        }

        /** A pool's own sentence says that there is no connection; the one below it says why. */
        private static String reason(Exception failure) {
            Throwable cause = failure.getCause() instanceof SQLException below ? below : failure;
            return Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
        }

        private void tellChange() {
            ReplicaSet.View view = set.view(index);
            if (view.state() != told) {
                String problem = replicaProblem(index);
                log.atLevel(view.state() == ReplicaSet.State.OTHER_CLUSTER ? Level.WARN : Level.INFO)
                        .log(
                                "weir.route: replica {} is {} now ({})",
                                set.names().get(index),
                                view.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                                problem.isEmpty() ? view.lag() : problem);
                told = view.state();
            }
        }
    }
}
