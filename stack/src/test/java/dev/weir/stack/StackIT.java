package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StackIT {
    @Test
    void startsAndStopsPostgresWithAStandbyAndRedis() {
        Stack stack = Stack.start(StackConfig.defaults(), StackProgress.silent());
        try (stack) {
            assertThat(stack.servers()).hasSize(3).allMatch(Server::isRunning);
            assertThat(stack.failure()).isEmpty();
        }
        assertThat(stack.servers()).noneMatch(Server::isRunning);
        assertThat(stack.folder()).doesNotExist();
    }
}
