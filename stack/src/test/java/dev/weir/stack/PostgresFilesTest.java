package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresFilesTest {
    @Test
    void theConfigurationIsDurableAndTakesSettings() {
        String text =
                PostgresFiles.configuration(20_001, Map.of("max_connections", "300", "search_path", "it's"), true);

        assertThat(text.lines())
                .contains("fsync = 'on'", "synchronous_commit = 'on'", "full_page_writes = 'on'", "port = '20001'")
                .contains("max_connections = '300'", "search_path = 'it''s'", "dynamic_shared_memory_type = 'posix'");
    }

    @Test
    void withoutSharedMemoryOfTheSystemItUsesFiles() {
        assertThat(PostgresFiles.configuration(20_001, Map.of(), false).lines())
                .contains("dynamic_shared_memory_type = 'mmap'");
    }

    @Test
    void isReadyOnlyWhenTheRightProcessSaysSo(@TempDir Path data) throws Exception {
        assertThat(PostgresFiles.isReady(data, 100)).isFalse();

        Path pidFile = Files.writeString(
                data.resolve("postmaster.pid"), "100\n/data\n1700000000\n20001\n\n127.0.0.1\n  0 0\nstarting\n");
        assertThat(PostgresFiles.isReady(data, 100)).isFalse();

        Files.writeString(pidFile, Files.readString(pidFile).replace("starting", "ready   "));
        assertThat(PostgresFiles.isReady(data, 100)).isTrue();
        assertThat(PostgresFiles.isReady(data, 101)).isFalse();
    }
}
