package dev.weir.store.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortFileTest {

    @Test
    void anOldPortIsReplacedAndNothingElseIsLeft(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("port");
        PortFile.write(file, 1);
        PortFile.write(file, 8080);

        assertThat(file).hasContent("8080");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
