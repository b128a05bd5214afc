package dev.weir.core.publish.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that appends is killed at random moments; nothing it was told to be durable may be missing. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpoolSuddenDeathIT {
    private static final int KILLS = 20;

    @TempDir
    Path folder;

    @Test
    void losesNothingAcknowledgedAtTwentyKills() throws Exception {
        Random random = new Random(42);
        List<String> acknowledged = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            acknowledged.addAll(runAndKill("run" + kill, 1 + random.nextInt(200)));
        }
        assertThat(acknowledged).hasSizeGreaterThan(KILLS);
        assertThat(readAll()).containsAll(acknowledged);
    }

    /** Kills it after so many acknowledgements; answers all that were read before its end. */
    private List<String> runAndKill(String name, int after) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SpoolChild.class.getName(),
                        folder.toString(),
                        name)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> acknowledged = new ArrayList<>();
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                acknowledged.add(line);
                if (acknowledged.size() == after) {
                    child.toHandle().destroyForcibly();
                }
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
        acknowledged.removeLast();
        return acknowledged;
    }

    private Set<String> readAll() throws IOException {
        Set<String> all = new HashSet<>();
        try (Spool spool = Spool.open(folder, SpoolConfig.defaults())) {
            Spool.Reader reader = spool.reader();
            for (List<SpoolRecord> next = reader.next(1_000); !next.isEmpty(); next = reader.next(1_000)) {
                next.forEach(record -> all.add(StandardCharsets.UTF_8
                        .decode(record.content())
                        .toString()
                        .strip()));
            }
        }
        return all;
    }
}
