package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarReaderTest {
    @TempDir
    private Path folder = Path.of("");

    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();

    @Test
    void unpacksFoldersFilesAndLinks() throws Exception {
        add("bin/", '5', "", 0755, "");
        add("bin/server", '0', "", 0755, "program");
        add("share/data", '0', "", 0644, "x".repeat(1000));
        add("lib/alias", '2', "server", 0777, "");

        unpack();

        assertThat(folder.resolve("bin/server")).hasContent("program").isExecutable();
        assertThat(folder.resolve("share/data")).hasContent("x".repeat(1000));
        assertThat(Files.isExecutable(folder.resolve("share/data"))).isFalse();
        assertThat(Files.readSymbolicLink(folder.resolve("lib/alias"))).isEqualTo(Path.of("server"));
    }

    @Test
    void unpacksLongNames() throws Exception {
        String name = "long/" + "n".repeat(150);
        add("././@LongLink", 'L', "", 0, name + "\0");
        add(name.substring(0, 99), '0', "", 0644, "content");

        unpack();

        assertThat(folder.resolve(name)).hasContent("content");
    }

    @Test
    void refusesToLeaveItsFolder() throws Exception {
        add("../outside", '0', "", 0644, "evil");

        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class).hasMessageContaining("../outside");
    }

    @Test
    void noticesAnArchiveThatEndsTooEarly() throws Exception {
        add("file", '0', "", 0644, "x".repeat(2000));
        byte[] cut = Arrays.copyOf(archive.toByteArray(), 1000);

        assertThatThrownBy(() -> TarReader.unpack(new ByteArrayInputStream(cut), folder))
                .isInstanceOf(EOFException.class);
    }

    private void unpack() throws IOException {
        archive.write(new byte[1024]);
        TarReader.unpack(new ByteArrayInputStream(archive.toByteArray()), folder);
    }

    private void add(String name, char type, String link, int mode, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "%07o".formatted(mode));
        put(header, 124, "%011o".formatted(bytes.length));
        header[156] = (byte) type;
        put(header, 157, link);
        put(header, 257, "ustar  ");
        archive.write(header);
        archive.write(bytes);
        archive.write(new byte[(512 - bytes.length % 512) % 512]);
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
