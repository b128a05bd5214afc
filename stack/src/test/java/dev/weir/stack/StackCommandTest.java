package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StackCommandTest {
    private static final ProcessId OWN = ProcessId.of(ProcessHandle.current());

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path cache = Path.of("");

    @Test
    void withoutASubcommandItSaysWhatThereIs() {
        assertThat(execute(List.of())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).startsWith("Say what to do: weir stack up, weir stack status or weir stack down.");
    }

    @Test
    void upRefusesWhatTheStackRefuses() {
        assertThat(run("up", "--standbys", "9")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).startsWith("9 standbys were asked for; 0 to 4 are possible.");
    }

    @Test
    void upSaysThatTheCacheFolderCannotBeUsed() throws Exception {
        Path file = Files.writeString(cache.resolve("file"), "x");

        assertThat(execute(List.of("up", "--cache", file.toString()))).isEqualTo(StackCommand.MACHINE_LACKS);
        assertThat(err.toString()).startsWith("The folder " + file + " cannot be created or written");
    }

    @Test
    void statusAndDownSayThatNothingRuns() {
        assertThat(run("status")).isEqualTo(StackCommand.NOTHING_RUNS);
        assertThat(run("status", "--json")).isEqualTo(StackCommand.NOTHING_RUNS);
        assertThat(run("down")).isEqualTo(StackCommand.OK);
        assertThat(out.toString()).isEqualTo("No stack is running.\n{\"runs\":[]}\nNo stack is running.\n");
    }

    @Test
    void statusPrintsAddressesAsTextAndAsJson() throws Exception {
        create("run-1");

        assertThat(run("status")).isEqualTo(StackCommand.OK);
        assertThat(run("status", "--json")).isEqualTo(StackCommand.OK);

        assertThat(out.toString())
                .contains("run-1 (ready, held by process " + OWN.pid() + ")")
                .contains("redis://127.0.0.1:20002")
                .contains("PostgreSQL user weir, password secret")
                .contains(
                        "{\"name\":\"kafka\",\"host\":\"127.0.0.1\",\"port\":20003,\"url\":\"127.0.0.1:20003\",\"pid\":"
                                + OWN.pid() + ",\"running\":true}");
    }

    @Test
    void downAsksWhichWhenThereAreSeveral() throws Exception {
        create("run-1");
        create("run-2");

        assertThat(run("down")).isEqualTo(StackCommand.FAILED);
        assertThat(err.toString())
                .isEqualTo("2 stacks are running (run-1, run-2): name one with --run ID, or stop all with --all.\n");
    }

    @Test
    void downNamesARunThatIsNotThere() {
        assertThat(run("down", "--run", "run-9")).isEqualTo(StackCommand.FAILED);
        assertThat(err.toString()).isEqualTo("No run run-9 is running: weir stack status prints those that are.\n");
    }

    @Test
    void aDetachedStartPassesEveryOptionOn() {
        StackConfig config = StackConfig.defaults()
                .withStandbys(3)
                .withRedis(false)
                .withKafka(true)
                .withPorts(new PortPlan(1, 2, 0, 5))
                .withPostgresSetting("max_connections", "300");

        assertThat(DetachedStart.arguments(config, new CacheFolder(Path.of("/c"))))
                .containsExactly(
                        "--standbys=3",
                        "--port-postgres=1",
                        "--port-standby=2",
                        "--port-redis=0",
                        "--port-kafka=5",
                        "--timeout=60",
                        "--cache=/c",
                        "--postgres-setting=max_connections=300",
                        "--kafka",
                        "--no-redis");
    }

    private void create(String id) throws Exception {
        CacheFolder folder = new CacheFolder(cache);
        folder.create();
        List<RunFile.Entry> servers = List.of(
                new RunFile.Entry("primary", 20_001, OWN),
                new RunFile.Entry("redis", 20_002, OWN),
                new RunFile.Entry("kafka", 20_003, OWN));
        new Runs(folder, InstantSource.system())
                .create(new RunFile(id, RunFile.Origin.COMMAND, OWN, RunFile.State.READY, servers, "secret"));
    }

    private int run(String subcommand, String... arguments) {
        List<String> all = new ArrayList<>(List.of(subcommand, "--cache", cache.toString()));
        all.addAll(List.of(arguments));
        return execute(all);
    }

    private int execute(List<String> arguments) {
        return new CommandLine(new StackCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
