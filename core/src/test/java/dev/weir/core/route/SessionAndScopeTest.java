package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionAndScopeTest {

    @Test
    void scopesNestAndEndWithTheirTask() throws Exception {
        assertThat(PrimaryScope.isActive()).isFalse();
        boolean inside = PrimaryScope.call(() -> {
            PrimaryScope.run(() -> assertThat(PrimaryScope.isActive()).isTrue());
            return PrimaryScope.isActive();
        });
        assertThat(inside).isTrue();
        assertThatThrownBy(() -> PrimaryScope.call(() -> {
                    throw new IllegalStateException("thrown inside");
                }))
                .hasMessage("thrown inside");
        assertThat(PrimaryScope.isActive()).isFalse();
    }

    @Test
    void aScopeBelongsToItsThread() throws Exception {
        List<Boolean> seen = new ArrayList<>();
        PrimaryScope.run(() -> {
            Thread other = Thread.ofVirtual().start(() -> seen.add(PrimaryScope.isActive()));
            assertThatNoExceptionIn(other);
        });
        assertThat(seen).containsExactly(false);
    }

    private static void assertThatNoExceptionIn(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSessionOnlyMovesForwardAndTellsEachStep() {
        List<Long> told = new ArrayList<>();
        var session = new RouteSession(10, told::add);
        session.wrote(5);
        session.wrote(20);
        session.wrote(20);
        assertThat(session.neededLsn()).isEqualTo(20);
        assertThat(told).containsExactly(20L);
    }

    @Test
    void closingABindingBringsBackTheOneBefore() {
        var outer = new RouteSession(1, lsn -> {});
        var inner = new RouteSession(2, lsn -> {});
        try (var first = outer.open()) {
            assertThat(first).isNotNull();
            try (var second = inner.open()) {
                assertThat(second).isNotNull();
                assertThat(RouteSession.current()).isSameAs(inner);
            }
            assertThat(RouteSession.current()).isSameAs(outer);
        }
        assertThat(RouteSession.current()).isNull();
    }
}
