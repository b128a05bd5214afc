package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
    private static final RunFile RUN = new RunFile(
            "run-7-00beef",
            RunFile.Origin.COMMAND,
            new ProcessId(7, 1_700_000_000_000L, "java"),
            RunFile.State.READY,
            List.of(
                    new RunFile.Entry("primary", 20_001, new ProcessId(8, 1_700_000_000_100L, "postgres")),
                    new RunFile.Entry("redis", 20_002, new ProcessId(9, 1_700_000_000_200L, "redis-server"))),
            "secret");

    @Test
    void readsWhatItWrote() {
        assertThat(RunFile.parse(RUN.print())).isEqualTo(RUN);
    }

    @Test
    void readsARunWithoutServers() {
        RunFile empty = new RunFile("run-7-0", RunFile.Origin.JAVA, RUN.owner(), RunFile.State.STARTING, List.of(), "");

        assertThat(RunFile.parse(empty.print())).isEqualTo(empty);
    }

    @Test
    void namesWhatIsMissing() {
        String text = RUN.print().replace("redis.port=20002", "");

        assertThatThrownBy(() -> RunFile.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The run file lacks redis.port.");
    }

    @Test
    void namesANumberThatIsNone() {
        String text = RUN.print().replace("owner.pid=7", "owner.pid=seven");

        assertThatThrownBy(() -> RunFile.parse(text))
                .hasMessage("The run file says owner.pid=seven, which is no number.");
    }

    @Test
    void refusesAnotherFormat() {
        String text = RUN.print().replace("format=1", "format=2");

        assertThatThrownBy(() -> RunFile.parse(text)).hasMessage("The run file has the format 2, not 1.");
    }

    @Test
    void onlyTheOwnerMayReadThePassword(@TempDir Path folder) throws Exception {
        RUN.write(folder);
        RUN.write(folder);

        assertThat(RunFile.read(folder)).isEqualTo(RUN);
        assertThat(Files.getPosixFilePermissions(folder.resolve(RunFile.NAME)))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
}
