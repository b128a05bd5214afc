package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is left of a stack when the JVM that started it is killed with -9. */
class SuddenDeathIT {
    private final CacheFolder cache = new CacheFolder(TestStacks.CACHE);

    @Test
    void serversEndSoonAndTheNextStartClearsTheFolder() throws Exception {
        Process starter = starter();
        RunFile run = readyRun(starter);
        Path folder = cache.runs().resolve(run.id());

        kill(starter);

        TestStacks.await("servers gone", () -> alive(run).isEmpty());
        List<String> told = new ArrayList<>();
        try (Stack next = Stack.start(TestStacks.config().withStandbys(0), told::add)) {
            assertThat(folder).doesNotExist();
            assertThat(told).contains("Clearing what the run " + run.id() + " left behind");
            assertThat(next.failure()).isEmpty();
        }
    }

    @Test
    void theNextStartStopsServersWhoseGuardsWereKilledToo() throws Exception {
        Process starter = starter();
        RunFile run = readyRun(starter);
        List<ProcessHandle> servers = alive(run);
        assertThat(servers).hasSize(2);
        List<ProcessHandle> guards =
                servers.stream().map(server -> server.parent().orElseThrow()).toList();

        guards.forEach(ProcessHandle::destroyForcibly);
        kill(starter);
        assertThat(alive(run)).hasSize(2);
        TestStacks.runs().clearLeftovers(StackProgress.silent());

        assertThat(alive(run)).isEmpty();
        assertThat(cache.runs().resolve(run.id())).doesNotExist();
    }

    private static void kill(Process starter) throws InterruptedException {
        starter.destroyForcibly();
        starter.waitFor();
    }

    private static List<ProcessHandle> alive(RunFile run) {
        return run.servers().stream()
                .map(server -> server.process().alive())
                .flatMap(Optional::stream)
                .toList();
    }

    private static Process starter() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starter.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private RunFile readyRun(Process starter) throws IOException {
        BufferedReader lines = starter.inputReader();
        String id = lines.readLine();
        assertThat(id).isNotNull();
        return RunFile.read(cache.runs().resolve(id));
    }

    /** A program that starts a stack and then waits to be killed. */
    static final class Starter {
        private Starter() {}

        public static void main(String[] arguments) throws IOException {
            Stack stack = Stack.start(TestStacks.config().withStandbys(0), StackProgress.silent());
            System.out.println(stack.id());
            System.in.transferTo(System.out);
            stack.close();
        }
    }
}
