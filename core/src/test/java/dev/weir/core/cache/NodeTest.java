package dev.weir.core.cache;

import static dev.weir.core.cache.Cluster.BOUND;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each part of the protocol alone, so that a test fails for each that is taken out. */
class NodeTest {
    private static final Duration BEAT = BOUND.dividedBy(4);

    private final CacheConfig config = CacheConfig.named("texts").withTtlWithoutRedis(Duration.ZERO);
    private final Cluster cluster = new Cluster();
    private final Cluster.Member a = cluster.join("a", config);
    private final Cluster.Member b = cluster.join("b", config);

    @BeforeEach
    void fill() {
        cluster.pass(BOUND.multipliedBy(2));
        for (String key : new String[] {"k", "other"}) {
            a.cache().get(key, asked -> "v1");
            b.cache().get(key, asked -> "v1");
        }
        cluster.deliver();
        assertThat(b.cache().peek("k")).isNotNull();
    }

    @Test
    void anInvalidationTakesItsKeyAlone() {
        a.cache().evict("other");
        cluster.deliver();

        assertThat(b.cache().peek("other")).isNull();
        assertThat(b.cache().peek("k")).isNotNull();
    }

    @Test
    void anInvalidationReachesAKeyThatHasNoFormInUtf8() {
        String halfAPair = "k\uD800";
        assertThat(b.cache().get(halfAPair, asked -> "v1")).isEqualTo("v1");
        cluster.deliver();

        a.cache().evict(halfAPair);
        cluster.deliver();

        assertThat(b.cache().peek(halfAPair)).isNull();
    }

    @Test
    void aLostInvalidationShowsWithTheNextOne() {
        a.cache().evict("k");
        b.link().loseMessage();
        a.cache().evict("other");
        cluster.deliver();

        assertThat(b.cache().peek("k")).isNull();
    }

    @Test
    void theLossOfALastInvalidationShowsWithTheNextBeat() {
        a.cache().evict("k");
        b.link().loseMessage();
        cluster.pass(BEAT.plusMillis(1));

        assertThat(b.caches().trusted()).isTrue();
        assertThat(b.cache().peek("k")).isNull();
    }

    @Test
    void theLastInvalidationOfAPublisherThatFallsSilentCountsAsLost() {
        a.cache().evict("k");
        b.link().loseMessage();
        a.link().reachable(false);
        cluster.pass(BOUND.multipliedBy(3).dividedBy(4));

        assertThat(b.caches().trusted()).isTrue();
        assertThat(b.cache().peek("k")).isNull();
    }

    @Test
    void aNodeWithoutItsBeatsBelievesForOneBound() {
        cluster.passWithoutUpkeep(BOUND.minus(BEAT).minusMillis(1));
        assertThat(b.cache().peek("k")).isNotNull();

        cluster.passWithoutUpkeep(BEAT.plusMillis(1));
        assertThat(b.cache().peek("k")).isNull();
    }

    @Test
    void aValueReadBeforeAnInvalidationIsNotKeptByTheProcess() {
        b.cache().get("new", asked -> {
            a.cache().evict("new");
            cluster.deliver();
            return "old";
        });

        assertThat(b.cache().peek("new")).isNull();
    }

    @Test
    void aValueReadBeforeAnInvalidationIsNotKeptInRedis() {
        b.cache().get("new", asked -> {
            a.cache().evict("new");
            return "old";
        });

        assertThat(a.cache().find("new")).isNull();
    }

    @Test
    void aValueKeptWhileItsEvictionWasOnItsWayIsDroppedToo() {
        cluster.redis().beforeEviction(() -> a.cache().get("k", asked -> "read before the commit"));

        a.cache().evict("k");

        assertThat(a.cache().peek("k")).isNull();
    }

    @Test
    void redisIsNotAskedForAKeyOfWhichAnEvictionIsKept() {
        cluster.redis().refuseOnce();
        assertThat(a.cache().evict("k")).isEqualTo(Eviction.DEFERRED);

        assertThat(a.caches().sharedUsable()).isTrue();
        assertThat(a.cache().find("k")).isNull();
    }

    @Test
    void afterAClearNoOldValueIsReadFromRedisBeforeItsMessageArrives() {
        a.link().holdMessages();
        assertThat(a.cache().clear()).isEqualTo(Eviction.DELIVERED);

        assertThat(a.cache().find("k")).isNull();
    }

    @Test
    void aPutSoonAfterAnEvictionIsOneToo() {
        a.cache().evict("k");
        b.cache().put("k", "late");
        cluster.deliver();

        assertThat(b.cache().stats().putsRefused()).isEqualTo(1);
        assertThat(a.cache().find("k")).isNull();
    }

    @Test
    void theGuardOfAKeyOutlastsItsNextValue() {
        a.cache().evict("k");
        cluster.deliver();
        a.cache().get("k", asked -> "v2");
        b.cache().put("k", "late");
        cluster.deliver();

        assertThat(b.cache().stats().putsRefused()).isEqualTo(1);
    }

    @Test
    void theGuardOutlastsAValueThatExpiresBefore() {
        Cluster brief = new Cluster();
        CacheConfig none = config.withNegativeTtl(BOUND.dividedBy(8)).withGuardFor(BOUND);
        Cluster.Member loading = brief.join("a", none);
        Cluster.Member late = brief.join("b", none);
        brief.pass(BOUND.multipliedBy(2));
        loading.cache().evict("k");
        loading.cache().get("k", asked -> null);
        brief.pass(BOUND.dividedBy(2));

        late.cache().put("k", "late");
        assertThat(late.cache().stats().putsRefused()).isEqualTo(1);

        late.cache().put("new", null);
        brief.pass(BOUND.dividedBy(2));
        late.cache().put("new", "soon after");
        assertThat(loading.cache().find("new")).isNull();
    }

    @Test
    void connectionsOfWhichNothingComesBackAreMadeAnew() {
        b.link().goSilent();
        cluster.pass(BOUND.multipliedBy(7).dividedBy(2));
        assertThat(b.link().timesGivenUp()).isZero();
        assertThat(b.caches().trusted()).isFalse();

        cluster.pass(BOUND.multipliedBy(3));
        assertThat(b.link().timesGivenUp()).isEqualTo(1);
        assertThat(b.caches().trusted()).isTrue();
        assertThat(b.caches().sharedUsable()).isTrue();
    }

    @Test
    void aPrimaryThatWasReplacedIsNotBelievedAndIsLeft() {
        cluster.redis().failOver();
        a.link().giveUp();
        cluster.pass(BOUND.dividedBy(2));
        assertThat(a.cache().evict("k")).isEqualTo(Eviction.DELIVERED);
        cluster.pass(BOUND);
        assertThat(b.cache().get("k", asked -> "v2")).isEqualTo("v2");

        cluster.pass(BOUND.multipliedBy(5));
        assertThat(b.link().timesGivenUp()).isEqualTo(1);
        assertThat(b.caches().trusted()).isTrue();
        assertThat(b.cache().get("k", asked -> "v3")).isIn("v2", "v3");
        assertThat(b.cache().peek("k")).isNotNull();
    }

    @Test
    void aStrictEvictionWaitsForANodeThatDoesNotKnowYetThatItHearsNothing() {
        Cluster strict = new Cluster();
        Cluster.Member writer = strict.join("a", config.withStrict(true));
        Cluster.Member reader = strict.join("b", config.withStrict(true));
        strict.pass(BOUND.multipliedBy(2));
        reader.cache().get("k", asked -> "v1");
        strict.pass(BOUND);
        assertThat(reader.cache().peek("k")).isNotNull();

        reader.link().holdMessages();
        reader.link().cutSubscription();
        assertThat(writer.cache().evict("k")).isEqualTo(Eviction.DELIVERED);

        assertThat(reader.cache().peek("k")).isNull();
    }

    @Test
    void inAnOutageABoundIsWaitedOnceAndNotByEachStrictWrite() {
        StrictPair pair = new StrictPair();
        pair.cluster.redis().kill();
        pair.cluster.deliver();

        assertThat(pair.cluster.timeOf(() -> pair.evicts("k", Eviction.DEFERRED)))
                .isBetween(BOUND, BOUND.plus(BEAT));
        assertThat(pair.cluster.timeOf(() -> pair.evicts("k", Eviction.DEFERRED)))
                .isZero();
        assertThat(pair.cluster.timeOf(() -> pair.evicts("other", Eviction.DEFERRED)))
                .isZero();
    }

    @Test
    void aStrictWriteInAnOutageWaitsOnlyForWhatIsLeftOfTheBound() {
        StrictPair pair = new StrictPair();
        pair.cluster.redis().kill();
        pair.cluster.deliver();
        pair.cluster.pass(BOUND.minus(BEAT));

        assertThat(pair.cluster.timeOf(() -> pair.evicts("k", Eviction.DEFERRED)))
                .isBetween(Duration.ofNanos(1), BEAT.multipliedBy(2));
    }

    @Test
    void whereRedisIsFrozenNobodyIsWaitedForOnceAllHaveStoppedBelieving() {
        StrictPair pair = new StrictPair();
        pair.cluster.redis().freeze();
        pair.cluster.pass(BOUND.multipliedBy(2));

        assertThat(pair.cluster.timeOf(() -> pair.evicts("k", Eviction.DEFERRED)))
                .isZero();
    }

    @Test
    void whereRedisIsFrozenTheEndOfItsConnectionsCostsNoFurtherBound() {
        StrictPair pair = new StrictPair();
        pair.cluster.redis().freeze();
        pair.cluster.pass(BOUND.multipliedBy(2));
        while (pair.writer.link().timesGivenUp() == 0) {
            pair.cluster.pass(BEAT);
        }

        assertThat(pair.cluster.timeOf(() -> pair.evicts("k", Eviction.DEFERRED)))
                .isZero();
    }

    @Test
    void whileAnotherNodeIsHeardAStrictWriteThatCannotBeToldIsNotDoneAtOnce() {
        StrictPair pair = new StrictPair();
        pair.writer.link().cutCommands();
        pair.cluster.deliver();

        assertThat(pair.cluster.timeOf(() -> pair.evicts("k", Eviction.DEFERRED)))
                .isBetween(BOUND.minus(BEAT.multipliedBy(2)), BOUND);
    }

    @Test
    void afterAnOutageThatLeftTheConnectionsNobodyBelievesBeforeTheOthersCouldTell() {
        StrictPair pair = new StrictPair();
        pair.cluster.redis().freeze();
        pair.cluster.pass(BOUND.multipliedBy(2));
        pair.reader.cache().get("k", asked -> "v1");
        pair.reader.cache().get("other", asked -> "v1");
        pair.evicts("k", Eviction.DEFERRED);

        pair.cluster.redis().thaw();
        pair.cluster.deliver();
        assertThat(pair.reader.cache().peek("k")).isNull();
        assertThat(pair.reader.cache().get("k", asked -> "v2")).isEqualTo("v2");

        pair.cluster.pass(BOUND.multipliedBy(2));
        assertThat(pair.reader.caches().trusted()).isTrue();
        assertThat(pair.writer.cache().stats().pendingEvictions()).isZero();
        assertThat(pair.reader.cache().peek("other"))
                .as("loaded before it was trusted")
                .isNull();
        assertThat(pair.reader.cache().get("k", asked -> "v2")).isEqualTo("v2");
    }

    @Test
    void aStrictWriteInTheFirstBoundWaitsForItsEndAndNotForABoundOfItsOwn() {
        Cluster starting = new Cluster();
        Cluster.Member writer = starting.join("a", config.withStrict(true));
        starting.join("b", config.withStrict(true));
        starting.pass(BOUND.minus(BEAT));

        assertThat(starting.timeOf(() -> writer.cache().evict("k"))).isLessThanOrEqualTo(BEAT.multipliedBy(2));
    }

    @Test
    void whoLeavesStopsBelievingBeforeTheOthersStopToWaitForIt() {
        StrictPair pair = new StrictPair();
        AtomicBoolean believed = new AtomicBoolean(true);
        pair.reader.link().holdMessages();
        pair.reader.link().whenLeft(() -> {
            pair.cluster.deliver();
            pair.evicts("k", Eviction.DELIVERED);
            believed.set(pair.reader.cache().peek("k") != null);
        });

        pair.reader.caches().close();

        assertThat(believed).isFalse();
    }

    @Test
    void whoHasLeftSendsNoMoreBeats() {
        a.caches().close();
        cluster.deliver();
        long drops = b.cache().stats().drops();

        cluster.pass(BEAT.multipliedBy(2));
        a.link().reachable(false);
        cluster.pass(BOUND.multipliedBy(3));

        assertThat(b.cache().stats().drops()).isEqualTo(drops);
        assertThat(b.cache().peek("k")).isNotNull();
    }

    @Test
    void whatRedisKnowsOfAnEvictionIsLoadedFreshBeforeItsMessageArrives() {
        Guarded guarded = new Guarded(config);
        guarded.reader.link().holdMessages();
        guarded.writer.cache().evict("k");

        guarded.reader.cache().get("k", asked -> "v2");

        assertThat(guarded.fresh).hasValue(1);
    }

    @Test
    void theSameForWhoFindsAnotherOneLoading() {
        Guarded guarded = new Guarded(config);
        guarded.reader.link().holdMessages();
        guarded.writer.cache().evict("k");

        guarded.writer.cache().get("k", asked -> guarded.reader.cache().get("k", same -> "v2"));

        assertThat(guarded.fresh).hasValue(1);
    }

    @Test
    void aStrictCacheLoadsFreshWhileNobodyCanTellOfEvictions() {
        Guarded guarded = new Guarded(config.withStrict(true));
        guarded.reader.cache().get("before", asked -> "v1");
        assertThat(guarded.fresh).hasValue(0);
        guarded.cluster.redis().kill();
        guarded.cluster.pass(config.guardFor().multipliedBy(2));

        guarded.reader.cache().get("k", asked -> "v2");

        assertThat(guarded.fresh).hasValue(1);
    }

    /** Two nodes, of which one counts its loads of the primary. */
    private static final class Guarded implements LoadGuard {
        private final AtomicInteger fresh = new AtomicInteger();
        private final Cluster cluster = new Cluster();
        private final Cluster.Member writer;
        private final Cluster.Member reader;

        Guarded(CacheConfig config) {
            writer = cluster.join("a", config);
            reader = cluster.join("b", config, this);
            // Past the guard that follows the start.
            cluster.pass(BOUND.multipliedBy(2).plus(config.guardFor()));
        }

        @Override
        public <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception {
            fresh.incrementAndGet();
            return load.call();
        }
    }

    @Test
    void thatNotAllLayersWorkSaysNothingBeforeTheyHaveHadTheTime() {
        Cluster starting = new Cluster();
        Cluster.Member node = starting.join("a", config);
        Duration within = Cluster.COMMON.readyWithin();
        starting.pass(BEAT);
        assertThat(node.caches().notReadyFor()).isEqualTo(BEAT);

        starting.pass(within.minus(BEAT));
        assertThat(node.caches().notReadyFor()).isZero();

        starting.redis().kill();
        starting.pass(within);
        assertThat(node.caches().notReadyFor()).isGreaterThanOrEqualTo(within.minus(BEAT));
        starting.redis().comeBack();
        starting.pass(within);
        assertThat(node.caches().notReadyFor()).isZero();
    }

    /** Two nodes of a strict cache, of which one believes a value of "k". */
    private final class StrictPair {
        private final Cluster cluster = new Cluster();
        private final Cluster.Member writer = cluster.join("a", config.withStrict(true));
        private final Cluster.Member reader = cluster.join("b", config.withStrict(true));

        StrictPair() {
            cluster.pass(BOUND.multipliedBy(2));
            reader.cache().get("k", asked -> "v1");
            cluster.deliver();
            assertThat(reader.cache().peek("k")).isNotNull();
        }

        void evicts(String key, Eviction outcome) {
            assertThat(writer.cache().evict(key)).isEqualTo(outcome);
        }
    }

    @Test
    void connectionsThatWorkAreLeftAlone() {
        cluster.pass(BOUND.multipliedBy(20));

        assertThat(a.link().timesGivenUp()).isZero();
        assertThat(b.caches().trusted()).isTrue();
    }
}
