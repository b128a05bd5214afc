package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdTest {
    private static final ProcessId RECORDED = new ProcessId(100, 1_000_000, "postgres");

    @Test
    void recognisesItselfAlsoWhenTheClockWasSetALittle() {
        assertThat(RECORDED.isSameAs(new ProcessId(100, 1_000_000, "postgres"))).isTrue();
        assertThat(RECORDED.isSameAs(new ProcessId(100, 1_002_000, "postgres"))).isTrue();
        assertThat(RECORDED.isSameAs(new ProcessId(100, 998_000, "postgres"))).isTrue();
    }

    @Test
    void aLaterProcessWithTheSameNumberIsAnother() {
        assertThat(RECORDED.isSameAs(new ProcessId(100, 1_002_001, "postgres"))).isFalse();
    }

    @Test
    void anotherProgramIsAnotherProcess() {
        assertThat(RECORDED.isSameAs(new ProcessId(100, 1_000_000, "java"))).isFalse();
    }

    @Test
    void whatTheSystemDoesNotTellIsNotHeldAgainstIt() {
        assertThat(RECORDED.isSameAs(new ProcessId(100, 0, ""))).isTrue();
    }

    @Test
    void findsThisProcessAlive() {
        ProcessId own = ProcessId.of(ProcessHandle.current());

        assertThat(own.alive()).contains(ProcessHandle.current());
        assertThat(new ProcessId(own.pid(), own.startMillis() - 60_000, own.executable()).alive())
                .isEmpty();
    }
}
