package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class StackCommandIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void upStaysInTheForegroundUntilItIsInterrupted() throws Exception {
        CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        Thread up =
                Thread.ofPlatform().start(() -> exitCode.complete(run("up", "--standbys=0", "--no-redis", "--json")));
        TestStacks.await("ready", () -> err.toString().contains("All servers run"));
        assertThat(out.toString()).contains("\"state\":\"ready\"", "\"url\":\"jdbc:postgresql://127.0.0.1:");

        up.interrupt();

        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(StackCommand.INTERRUPTED);
    }

    @Test
    void aDetachedStackIsShownAndStopped() {
        assertThat(run("up", "--detach", "--standbys=0")).isEqualTo(StackCommand.OK);
        String id = out.toString().split(" ", 2)[0];
        RunFile run = TestStacks.runs().running().stream()
                .filter(candidate -> candidate.id().equals(id))
                .findFirst()
                .orElseThrow();
        assertThat(err.toString()).contains("Starting Redis");

        assertThat(run("status")).isEqualTo(StackCommand.OK);
        assertThat(out.toString()).contains(id + " (ready", "redis://127.0.0.1:", "jdbc:postgresql://127.0.0.1:");

        assertThat(run("down", "--run", id)).isEqualTo(StackCommand.OK);
        assertThat(out.toString()).isEqualTo("Stopped " + id + ".\n");
        assertThat(run.servers())
                .hasSize(2)
                .noneMatch(server -> server.process().alive().isPresent());
        assertThat(TestStacks.CACHE.resolve("runs").resolve(id)).doesNotExist();
    }

    @Test
    void aDetachedStartThatFailsSaysWhy() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThat(run("up", "--detach", "--port-postgres=" + port)).isEqualTo(StackCommand.MACHINE_LACKS);
            assertThat(err.toString())
                    .contains("Port " + port + " for PostgreSQL is taken by another process")
                    .doesNotContain("without a word");
        }
    }

    @Test
    void aSettingThatPostgresRefusesIsAWrongOption() {
        assertThat(run("up", "--detach", "--no-redis", "--postgres-setting=foo=bar"))
                .isEqualTo(StackCommand.USAGE);
        assertThat(err.toString()).contains("refuses a setting: unrecognized configuration parameter \"foo\"");
    }

    @Test
    void aRunOfAJavaProgramIsNotStopped() {
        try (Stack stack = Stack.start(TestStacks.config().withStandbys(0).withRedis(false), StackProgress.silent())) {
            assertThat(run("down", "--run", stack.id())).isEqualTo(StackCommand.FAILED);
            assertThat(err.toString())
                    .contains("belongs to the Java program with process number "
                            + ProcessHandle.current().pid());
            assertThat(stack.failure()).isEmpty();
        }
    }

    private int run(String subcommand, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(subcommand, "--cache", TestStacks.CACHE.toString()));
        all.addAll(List.of(arguments));
        return new CommandLine(new StackCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }
}
