package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path folder;

    @Test
    void appearsAsAWholeAndLeavesNothingBeside() throws IOException {
        Path file = folder.resolve("result.json");
        try (OutputFile output = OutputFile.open(file, "--json")) {
            assertThat(file).doesNotExist();
            output.write(() -> "content");
        }

        assertThat(file).hasContent("content");
        assertThat(names()).containsExactly("result.json");
    }

    @Test
    void keepsTheOldFileWhereNothingWasWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("result.json"), "old");

        OutputFile.open(file, "--json").close();

        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("result.json");
    }

    @Test
    void writesThroughALink() throws IOException {
        Path file = Files.writeString(folder.resolve("real.json"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);

        try (OutputFile output = OutputFile.open(link, "--json")) {
            output.write(() -> "new");
        }

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(file).hasContent("new");
    }

    @Test
    void writesToADevice() {
        try (OutputFile output = OutputFile.open(Path.of("/dev/null"), "--json")) {
            output.write(() -> "content");
        }

        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }

    @Test
    void refusesAFolderAndAMissingFolderBeforeTheWork() {
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> OutputFile.open(folder, "--json"))
                .withMessage("--json " + folder + " is a folder: name a file");
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> OutputFile.open(folder.resolve("no/x.json"), "--hlog"))
                .withMessageStartingWith("--hlog ")
                .withMessageContaining("the folder " + folder.resolve("no") + " does not exist");
    }

    @Test
    void writesNowhereWhereNoFileIsNamed() {
        try (OutputFile output = OutputFile.open(null, "--json")) {
            output.write(() -> {
                throw new AssertionError("the content was asked for");
            });
        }
    }

    @Test
    void aDashIsStandardOutput() {
        StringWriter out = new StringWriter();
        try (OutputFile output = OutputFile.openOrStandardOutput(Path.of("-"), "--json", new PrintWriter(out))) {
            assertThat(output.isStandardOutput()).isTrue();
            output.write(() -> "content");
        }

        assertThat(out).hasToString("content");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }
}
