package dev.weir.starter.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.CachesConfig;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.ValueCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class WeirCacheTest {
    private final LayeredCaches caches = LayeredCaches.local(CachesConfig.defaults());
    private final LayeredCache<Object, Object> layered = caches.create(
            CacheConfig.named("products"), new SpringKeys(), ValueCodec.of(value -> new byte[0], bytes -> bytes));
    private final WeirCache cache =
            new WeirCache(layered, new TransactionCommits(), () -> false, work -> Thread.startVirtualThread(work));
    private final TransactionTemplate transaction = new TransactionTemplate(new EmptyTransactions());

    @AfterEach
    void close() {
        caches.close();
    }

    @Test
    void aPutAfterAMissOfTheSameThreadIsAFillAndNoPut() {
        assertThat(cache.get("k")).isNull();
        cache.put("k", "v");

        assertThat(layered.stats().puts()).isZero();
        assertThat(found("k")).isEqualTo("v");
    }

    @Test
    void aFillIsRefusedIfTheKeyWasEvictedAfterTheMiss() {
        assertThat(cache.get("k")).isNull();
        layered.evict("k");
        cache.put("k", "old");

        assertThat(cache.get("k")).isNull();
    }

    @Test
    void aHitOfAReadWithALoaderRefreshesAhead() {
        WeirCache ahead = new WeirCache(
                caches.create(
                        CacheConfig.named("ahead").withRefreshAfter(Duration.ofNanos(1)),
                        new SpringKeys(),
                        ValueCodec.of(value -> new byte[0], bytes -> bytes)),
                new TransactionCommits(),
                () -> false,
                work -> Thread.startVirtualThread(work));
        ahead.get("k", () -> "old");

        assertThat(ahead.get("k", () -> "new")).isEqualTo("old");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Objects.equals(ahead.get("k", String.class), "new") && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(ahead.get("k", String.class)).isEqualTo("new");
    }

    @Test
    void aPutWithoutAMissIsAPut() {
        cache.put("k", "v");

        assertThat(layered.stats().puts()).isEqualTo(1);
        assertThat(found("k")).isEqualTo("v");
    }

    @Test
    void anEvictionWaitsForTheCommitAndIsNotAnsweredFromTheCacheBefore() {
        cache.put("k", "old");

        transaction.executeWithoutResult(status -> {
            cache.evict("k");
            assertThat(layered.peek("k")).isNotNull();
            assertThat(cache.get("k")).isNull();
            assertThat(cache.get("k", () -> "own write")).isEqualTo("own write");
            assertThat(layered.stats().evictions()).isZero();
        });

        assertThat(layered.stats().evictions()).isEqualTo(1);
        assertThat(cache.get("k")).isNull();
    }

    @Test
    void aRollbackEvictsNothing() {
        cache.put("k", "v");

        transaction.executeWithoutResult(status -> {
            cache.evict("k");
            cache.clear();
            status.setRollbackOnly();
        });

        assertThat(layered.stats().evictions()).isZero();
        assertThat(found("k")).isEqualTo("v");
    }

    @Test
    void whatATransactionReadMayBeKeptOnlyAfterItsCommit() {
        transaction.executeWithoutResult(status -> {
            assertThat(cache.get("k", () -> "uncommitted")).isEqualTo("uncommitted");
            assertThat(layered.peek("k")).isNull();
            status.setRollbackOnly();
        });
        assertThat(layered.peek("k")).isNull();

        transaction.executeWithoutResult(status -> cache.get("k", () -> "committed"));
        assertThat(found("k")).isEqualTo("committed");
    }

    @Test
    void aPutInATransactionIsAnEvictionAfterItsCommit() {
        cache.put("k", "old");

        transaction.executeWithoutResult(status -> cache.put("k", "new"));

        assertThat(layered.stats().puts()).isEqualTo(1);
        assertThat(layered.stats().evictions()).isEqualTo(1);
        assertThat(cache.get("k")).isNull();
    }

    @Test
    void aSnapshotIsReadAndNotKept() {
        TransactionTemplate snapshot = new TransactionTemplate(new EmptyTransactions());
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        snapshot.setReadOnly(true);

        snapshot.executeWithoutResult(
                status -> assertThat(cache.get("k", () -> "perhaps old")).isEqualTo("perhaps old"));

        assertThat(layered.peek("k")).isNull();
    }

    @Test
    void anInnerTransactionEvictsAtItsOwnCommit() {
        TransactionTemplate inner =
                new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        cache.put("outer", "v");
        cache.put("inner", "v");

        transaction.executeWithoutResult(status -> {
            cache.evict("outer");
            inner.executeWithoutResult(innerStatus -> cache.evict("inner"));
            assertThat(layered.peek("inner")).isNull();
            assertThat(layered.peek("outer")).isNotNull();
        });

        assertThat(layered.peek("outer")).isNull();
    }

    @Test
    void anEvictionByACallbackAfterTheCommitIsNotLost() {
        cache.put("own", "v");
        cache.put("callback", "v");

        transaction.executeWithoutResult(status -> {
            cache.evict("own");
            afterCommit(() -> cache.evict("callback"));
        });

        assertThat(layered.peek("own")).isNull();
        assertThat(layered.peek("callback")).isNull();
    }

    @Test
    void aCallbackAfterTheCommitMayOpenATransactionOfItsOwn() {
        TransactionTemplate inner =
                new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        cache.put("own", "v");
        cache.put("inner", "v");
        cache.put("afterwards", "v");

        transaction.executeWithoutResult(status -> {
            cache.evict("own");
            afterCommit(() -> {
                inner.executeWithoutResult(innerStatus -> cache.evict("inner"));
                cache.evict("afterwards");
            });
        });

        assertThat(layered.peek("inner")).isNull();
        assertThat(layered.peek("afterwards")).isNull();
    }

    @Test
    void anEvictionIsNotLostWhereACallbackBeforeItFails() {
        cache.put("k", "v");

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    afterCommit(() -> {
                        throw new IllegalStateException("callback");
                    });
                    cache.evict("k");
                }))
                .hasMessage("callback");

        assertThat(layered.peek("k")).isNull();
    }

    @Test
    void nullIsAValue() {
        assertThat(cache.<Object>get("none", () -> null)).isNull();
        Cache.ValueWrapper wrapper = cache.get("none");
        assertThat(wrapper).isNotNull();
        assertThat(Objects.requireNonNull(wrapper).get()).isNull();
    }

    @Test
    void aFailedLoadIsReportedAsSpringDoes() {
        assertThatThrownBy(() -> cache.get("k", () -> {
                    throw new IOException("no database");
                }))
                .isInstanceOf(Cache.ValueRetrievalException.class)
                .hasRootCauseMessage("no database");
    }

    @Test
    void aPutAfterALoadThatTookLongerThanItsLeaseIsAnEviction() {
        LayeredCache<Object, Object> brief = caches.create(
                CacheConfig.named("brief").withClusterLease(false, Duration.ofMillis(1)),
                new SpringKeys(),
                ValueCodec.of(value -> new byte[0], bytes -> bytes));
        WeirCache slow = new WeirCache(brief, new TransactionCommits(), () -> false, Runnable::run);
        assertThat(slow.get("k")).isNull();
        brief.evict("k");
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }

        slow.put("k", "old");

        assertThat(brief.peek("k")).isNull();
        assertThat(brief.stats().puts()).isZero();
    }

    @Test
    void ofMoreMissesThanAreRememberedNoneIsMistakenForAPut() throws Exception {
        inAThreadOfItsOwn(() -> {
            for (int key = 0; key < 300; key++) {
                assertThat(cache.get(key)).isNull();
            }
            layered.evict(0);
            for (int key = 0; key < 300; key++) {
                cache.put(key, "read before the eviction");
            }
        });

        assertThat(layered.peek(0)).isNull();
        assertThat(layered.peek(299)).isNotNull();
        assertThat(layered.stats().puts()).isZero();
    }

    @Test
    void whatIsPutLaterThanTheLeaseForAForgottenMissIsNoPutEither() throws Exception {
        LayeredCache<Object, Object> brief = caches.create(
                CacheConfig.named("brief").withClusterLease(false, Duration.ofMillis(1)),
                new SpringKeys(),
                ValueCodec.of(value -> new byte[0], bytes -> bytes));
        WeirCache slow = new WeirCache(brief, new TransactionCommits(), () -> false, Runnable::run);

        inAThreadOfItsOwn(() -> {
            for (int key = 0; key < 300; key++) {
                assertThat(slow.get(key)).isNull();
            }
            brief.evict(0);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            slow.put(0, "read before the eviction");
            assertThat(brief.peek(0)).isNull();
            assertThat(brief.stats().puts()).isZero();

            for (int i = 0; i < 50; i++) {
                slow.put("never asked for " + i, "v");
            }
            assertThat(brief.stats().puts()).as("most are puts all the same").isGreaterThan(25);
        });
    }

    /** What a thread has missed stays with it. */
    private static void inAThreadOfItsOwn(Runnable work) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(work, true);
        Thread.ofVirtual().start(task);
        assertThat(task.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theSecondPutAfterTwoMissesIsAnEvictionOnce() {
        assertThat(cache.get("k")).isNull();
        assertThat(cache.get("k")).isNull();
        cache.put("k", "of the inner call");
        assertThat(found("k")).isEqualTo("of the inner call");

        cache.put("k", "read before");
        assertThat(layered.peek("k")).isNull();
        assertThat(layered.stats().puts()).isZero();

        cache.put("k", "v");
        assertThat(layered.stats().puts()).isEqualTo(1);
    }

    @Test
    void aReadOnlyTransactionThatWillEvictAKeyIsNotAnsweredFromTheCache() {
        TransactionTemplate reading =
                new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
        reading.setReadOnly(true);
        cache.put("k", "old");

        reading.executeWithoutResult(status -> {
            cache.evict("k");
            assertThat(cache.get("k", () -> "new")).isEqualTo("new");
        });
    }

    @Test
    void aReadWhoseValueIsPutLaterIsRefused() {
        assertThatThrownBy(() -> cache.retrieve("k"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("sync of @Cacheable must be true where the value comes later");
    }

    @Test
    void aReadWithALoaderMayComeLater() throws Exception {
        assertThat(later(() -> CompletableFuture.completedFuture("v"))).isEqualTo("v");
        assertThat(later(() -> CompletableFuture.completedFuture("not asked"))).isEqualTo("v");
        assertThat(layered.stats().loads()).isEqualTo(1);
    }

    @Test
    void aLateValueReadBeforeAnEvictionIsNotKept() throws Exception {
        CompletableFuture<String> row = new CompletableFuture<>();
        CountDownLatch reading = new CountDownLatch(1);
        CompletableFuture<String> answer = cache.retrieve("k", () -> {
            reading.countDown();
            return row;
        });
        reading.await();
        cache.evict("k");
        row.complete("old");

        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("old");
        assertThat(cache.get("k")).isNull();
    }

    @Test
    void aLateReadDoesNotAnswerWhatTheTransactionWillEvict() {
        cache.put("k", "old");

        transaction.executeWithoutResult(status -> {
            cache.evict("k");
            assertThat(joined(() -> CompletableFuture.completedFuture("own write")))
                    .isEqualTo("own write");
            status.setRollbackOnly();
        });
        assertThat(found("k")).isEqualTo("old");

        transaction.executeWithoutResult(
                status -> cache.retrieve("uncommitted", () -> CompletableFuture.completedFuture("own write"))
                        .join());
        assertThat(layered.peek("uncommitted")).isNull();
    }

    @Test
    void aLateReadThatFailsFailsAsTheMethodDid() {
        assertThatThrownBy(() -> later(() -> CompletableFuture.failedFuture(new IOException("no database"))))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void withReplicasALateReadSoonAfterAnEvictionIsNotKept() throws Exception {
        LayeredCaches guarded = LayeredCaches.local(CachesConfig.defaults(), new PrimaryGuard());
        try (guarded) {
            LayeredCache<Object, Object> products = guarded.create(
                    CacheConfig.named("guarded"),
                    new SpringKeys(),
                    ValueCodec.of(value -> new byte[0], bytes -> bytes));
            WeirCache replicated = new WeirCache(
                    products, new TransactionCommits(), () -> true, work -> Thread.startVirtualThread(work));
            replicated.evict("k");

            assertThat(replicated
                            .retrieve("k", () -> CompletableFuture.supplyAsync(() -> "of a replica, perhaps"))
                            .get(10, TimeUnit.SECONDS))
                    .isEqualTo("of a replica, perhaps");

            assertThat(products.peek("k")).isNull();
            assertThat(replicated.get("k", () -> "of the primary")).isEqualTo("of the primary");
            assertThat(products.peek("k")).isNotNull();
        }
    }

    @Test
    void withReplicasALateReadDoesNotRefreshSoonAfterAnEviction() throws Exception {
        LayeredCaches guarded = LayeredCaches.local(CachesConfig.defaults().withMaxRefreshes(1), new PrimaryGuard());
        try (guarded) {
            LayeredCache<Object, Object> products = guarded.create(
                    CacheConfig.named("guarded").withRefreshAfter(Duration.ofNanos(1)),
                    new SpringKeys(),
                    ValueCodec.of(value -> new byte[0], bytes -> bytes));
            products.evict("k");
            // Another call fills it between the look of the late read and its load.
            WeirCache replicated = new WeirCache(products, new TransactionCommits(), () -> true, work -> {
                products.get("k", key -> "of the primary");
                work.run();
            });

            assertThat(replicated
                            .retrieve("k", () -> CompletableFuture.completedFuture("of a replica, perhaps"))
                            .get(10, TimeUnit.SECONDS))
                    .isEqualTo("of the primary");

            assertThat(products.stats().refreshes()).isEqualTo(1);
            products.get("other", key -> "v");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (products.stats().refreshes() < 2 && System.nanoTime() < deadline) {
                products.get("other", key -> "v");
            }
            assertThat(products.stats().refreshes())
                    .as("the first one has ended")
                    .isGreaterThan(1);
            assertThat(Objects.requireNonNull(products.peek("k")).value()).isEqualTo("of the primary");
        }
    }

    @Test
    void keysOfDifferentClassesHaveDifferentNames() {
        assertThat(new SpringKeys().encode(1L)).isNotEqualTo(new SpringKeys().encode("1"));
        assertThatThrownBy(() -> new SpringKeys().encode(new Object())).hasMessageContaining("no toString of its own");
    }

    @Test
    void keysThatDifferHaveDifferentNames() {
        SpringKeys keys = new SpringKeys();
        List<Object> different = List.of(
                1,
                1L,
                "1",
                "Integer:1",
                "String:Integer:1",
                ".Integer:1",
                "String:1",
                String.class,
                'a',
                "Character:a",
                Side.LEFT,
                Hand.LEFT,
                "Hand:LEFT",
                new lowerCase("a"),
                "lowerCase:lowerCase[of=a]",
                new Entry("a"),
                Map.of("a", "b"),
                Map.of("a=b", ""),
                Map.entry("a", "b"),
                Optional.of(1),
                Optional.of("1"),
                Optional.empty(),
                List.of("a", "b"),
                List.of("a, b"),
                List.of(List.of("a"), "b"),
                Set.of("a", "b"),
                new SimpleKey("a", "b"),
                new SimpleKey(new SimpleKey("a"), "b"),
                new SimpleKey(new SimpleKey("a", "b")),
                new SimpleKey("x", new int[] {1}),
                new SimpleKey("x", new long[] {1}),
                new SimpleKey("x", new String[] {"a", "b"}),
                new SimpleKey("x", new String[] {"a, b"}));

        assertThat(different.stream().map(keys::encode)).doesNotHaveDuplicates();
    }

    @Test
    void keysThatAreEqualHaveOneNameWhateverTheirClass() {
        SpringKeys keys = new SpringKeys();
        assertThat(keys.encode(new ArrayList<>(List.of(2, 1)))).isEqualTo(keys.encode(List.of(2, 1)));
        assertThat(keys.encode(new LinkedHashSet<>(List.of(2, 1)))).isEqualTo(keys.encode(Set.of(1, 2)));
        assertThat(keys.encode(new TreeMap<>(Map.of("a", 1, "b", 2)))).isEqualTo(keys.encode(Map.of("b", 2, "a", 1)));
    }

    @Test
    void theNamesOfOrdinaryKeysAreWhatOneWouldWrite() {
        SpringKeys keys = new SpringKeys();
        for (String text : List.of("", "42", "user:42", "a b", "größe:1", ":x", "X", "[1]")) {
            assertThat(keys.encode(text)).isEqualTo(text);
        }
        assertThat(keys.encode(42L)).isEqualTo("Long:42");
        assertThat(keys.encode(Hand.LEFT)).isEqualTo("Hand:LEFT");
    }

    private enum Hand {
        LEFT
    }

    private enum Side {
        LEFT {
            @Override
            public String toString() {
                return "links";
            }
        }
    }

    private record lowerCase(String of) {}

    private record Entry(String of) {}

    @Test
    void aKeyWithoutANameNeitherFailsTheCommitNorKeepsOthersFromGoing() {
        cache.put("k", "v");

        transaction.executeWithoutResult(status -> {
            cache.evict(new Object());
            cache.evict("k");
        });

        assertThat(layered.peek("k")).isNull();
    }

    @Test
    void keysOfSeveralArgumentsAreNotRunTogether() {
        SpringKeys keys = new SpringKeys();
        assertThat(keys.encode(new SimpleKey("a, b", "c"))).isNotEqualTo(keys.encode(new SimpleKey("a", "b, c")));
        assertThat(keys.encode(new SimpleKey("1", 2L))).isNotEqualTo(keys.encode(new SimpleKey(1, 2L)));
        assertThat(keys.encode(new SimpleKey("a", null))).isNotEqualTo(keys.encode(new SimpleKey("a")));
        assertThat(keys.encode(new SimpleKey("a", new int[] {1})))
                .isEqualTo(keys.encode(new SimpleKey("a", new int[] {1})));
        assertThatThrownBy(() -> keys.encode(new SimpleKey("a", new Object())))
                .hasMessageContaining("no toString of its own");
    }

    /** Of the same order as the caches' own, so that it comes before or after by its place alone. */
    private static void afterCommit(Runnable task) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return Ordered.HIGHEST_PRECEDENCE;
            }

            @Override
            public void afterCommit() {
                task.run();
            }
        });
    }

    private String later(Supplier<CompletableFuture<String>> loader) throws Exception {
        return cache.retrieve("k", loader).get(10, TimeUnit.SECONDS);
    }

    private String joined(Supplier<CompletableFuture<String>> loader) {
        return cache.retrieve("k", loader).join();
    }

    private Object found(String key) {
        return Objects.requireNonNull(Objects.requireNonNull(cache.get(key)).get());
    }

    /** Begins and ends, and has nothing in between. */
    private static final class EmptyTransactions extends AbstractPlatformTransactionManager {
        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        @Override
        protected Object doSuspend(Object transaction) {
            return transaction;
        }

        @Override
        protected void doResume(@Nullable Object transaction, Object suspended) {}

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}

        @Override
        protected void doSetRollbackOnly(DefaultTransactionStatus status) {}
    }
}
