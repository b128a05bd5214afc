package dev.weir.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CurrentBudgetTest {

    private final RequestWatch watch = new RequestWatch(WatchConfig.defaults(), System::nanoTime, report -> {});
    private final Budget budget = watch.begin();

    @Test
    void thereIsNoneOutsideOfARequest() {
        assertThat(CurrentBudget.get()).isNull();
    }

    @Test
    void aScopeEndsWithWhatWasBefore() {
        Budget inner = watch.begin();
        CurrentBudget.Scope outerScope = CurrentBudget.enter(budget);
        CurrentBudget.Scope innerScope = CurrentBudget.enter(inner);
        assertThat(CurrentBudget.get()).isSameAs(inner);
        innerScope.close();
        assertThat(CurrentBudget.get()).isSameAs(budget);
        outerScope.close();
        assertThat(CurrentBudget.get()).isNull();
    }

    @Test
    void virtualThreadsOfTheRequestHaveItAndTheirsAsWell() throws Exception {
        AtomicReference<@Nullable Budget> seen = new AtomicReference<>();
        CurrentBudget.Scope scope = CurrentBudget.enter(budget);
        try {
            Thread.ofVirtual()
                    .start(() -> startAndJoin(() -> seen.set(CurrentBudget.get())))
                    .join();
        } finally {
            scope.close();
        }
        assertThat(seen.get()).isSameAs(budget);
        // The JDK may make carriers for them meanwhile.
        assertThat(budget.threads()).isGreaterThanOrEqualTo(2);
    }

    private static void startAndJoin(Runnable task) {
        try {
            Thread.ofVirtual().start(task).join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aPlatformThreadMadeMeanwhileServesOthersToo() throws Exception {
        AtomicReference<@Nullable Budget> seen = new AtomicReference<>(budget);
        CurrentBudget.Scope scope = CurrentBudget.enter(budget);
        try {
            Thread.ofPlatform().start(() -> seen.set(CurrentBudget.get())).join();
        } finally {
            scope.close();
        }
        assertThat(seen.get()).isNull();
        assertThat(budget.threads()).isEqualTo(1);
    }

    @Test
    void aTaskCarriesItIntoAPoolAndLeavesNothingThere() throws Exception {
        try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            Callable<@Nullable Budget> task = CurrentBudget::get;
            CurrentBudget.Scope scope = CurrentBudget.enter(budget);
            Callable<@Nullable Budget> carried = CurrentBudget.carry(task);
            scope.close();

            assertThat(pool.submit(carried).get()).isSameAs(budget);
            assertThat(pool.submit(task).get()).isNull();
        }
    }

    @Test
    void afterTheRequestThereIsNone() {
        CurrentBudget.Scope scope = CurrentBudget.enter(budget);
        watch.end(budget, () -> "any", 200);
        assertThat(CurrentBudget.get()).isNull();
        scope.close();
    }
}
