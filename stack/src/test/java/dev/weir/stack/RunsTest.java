package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {
    private static final ProcessId OWN = ProcessId.of(ProcessHandle.current());
    private static final ProcessId REUSED_NUMBER =
            new ProcessId(OWN.pid(), OWN.startMillis() - 3_600_000, OWN.executable());

    @TempDir
    private Path root = Path.of("");

    private CacheFolder cache = new CacheFolder(Path.of(""));
    private Runs runs = new Runs(cache, InstantSource.system());

    @BeforeEach
    void createCache() {
        cache = new CacheFolder(root);
        cache.create();
        runs = new Runs(cache, InstantSource.system());
    }

    @Test
    void aRunWhoseOwnerLivesIsRunning() throws Exception {
        runs.create(run("run-1", OWN, List.of()));

        assertThat(runs.running()).extracting(RunFile::id).containsExactly("run-1");
        assertThat(runs.leftovers()).isEmpty();
    }

    @Test
    void aRunWhoseOwnersNumberWentToALaterProcessIsALeftover() throws Exception {
        runs.create(run("run-1", REUSED_NUMBER, List.of()));

        assertThat(runs.running()).isEmpty();
        assertThat(runs.leftovers()).extracting(RunFile::id).containsExactly("run-1");
    }

    @Test
    void leftoversAreRemovedAndToldAndRunningOnesStay() throws Exception {
        Path dead = runs.create(run("run-dead", REUSED_NUMBER, List.of()));
        Files.writeString(Files.createDirectories(dead.resolve("primary")).resolve("file"), "data");
        Path living = runs.create(run("run-living", OWN, List.of()));
        List<String> told = new ArrayList<>();

        runs.clearLeftovers(told::add);

        assertThat(dead).doesNotExist();
        assertThat(living).exists();
        assertThat(told).containsExactly("Clearing what the run run-dead left behind");
    }

    @Test
    void aServersNumberThatWentToALaterProcessIsNotStopped() throws Exception {
        runs.create(run("run-dead", REUSED_NUMBER, List.of(new RunFile.Entry("redis", 20_000, REUSED_NUMBER))));

        runs.clearLeftovers(StackProgress.silent());

        assertThat(runs.leftovers()).isEmpty();
    }

    @Test
    void aStartInProgressStaysUntilItIsOld() throws Exception {
        Path unfinished = Files.createTempDirectory(cache.runs(), Runs.UNFINISHED);

        runs.clearLeftovers(StackProgress.silent());
        assertThat(unfinished).exists();

        Instant later = Instant.now().plus(Duration.ofHours(2));
        new Runs(cache, () -> later).clearLeftovers(StackProgress.silent());
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void aFolderWithoutAReadableRunFileIsIgnored() throws Exception {
        Files.writeString(Files.createDirectory(cache.runs().resolve("other")).resolve(RunFile.NAME), "format=9");

        assertThat(runs.running()).isEmpty();
        assertThat(runs.leftovers()).isEmpty();
    }

    @Test
    void aCacheFolderThatDoesNotExistHoldsNoRuns() {
        Runs nowhere = new Runs(new CacheFolder(root.resolve("missing")), InstantSource.system());

        assertThat(nowhere.running()).isEmpty();
        nowhere.clearLeftovers(StackProgress.silent());
    }

    private static RunFile run(String id, ProcessId owner, List<RunFile.Entry> servers) {
        return new RunFile(id, RunFile.Origin.JAVA, owner, RunFile.State.READY, servers, "");
    }
}
