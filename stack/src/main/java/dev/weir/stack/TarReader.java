package dev.weir.stack;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Unpacks a tar archive: files, folders, symbolic links and GNU long names, which is all that the archives of the servers hold.
 * Blocks of 512 bytes: a header, then the content, padded. An entry that would land outside the folder is refused.
 */
final class TarReader {
    private static final int BLOCK = 512;

    private final InputStream in;
    private final Path folder;
    private String longName = "";

    private TarReader(InputStream in, Path folder) {
        this.in = in;
        this.folder = folder;
    }

    static void unpack(InputStream in, Path folder) throws IOException {
        TarReader reader = new TarReader(in, folder);
        byte[] header = new byte[BLOCK];
        while (reader.readHeader(header)) {
            reader.unpackEntry(header);
        }
    }

    private boolean readHeader(byte[] header) throws IOException {
        int read = in.readNBytes(header, 0, BLOCK);
        if (read == 0) {
            return false;
        }
        if (read < BLOCK) {
            throw new EOFException("The archive ends within a header.");
        }
        return header[0] != 0;
    }

    private void unpackEntry(byte[] header) throws IOException {
        long size = octal(header, 124, 12);
        char type = (char) header[156];
        if (type == 'L') {
            longName = new String(content(size), StandardCharsets.UTF_8).replace("\0", "");
            return;
        }
        Path target = target(longName.isEmpty() ? name(header) : longName);
        longName = "";
        switch (type) {
            case '5' -> Files.createDirectories(target);
            case '2' -> link(target, text(header, 157, 100));
            case '0', '\0' -> file(target, size, (int) octal(header, 100, 8));
            default ->
                throw new IOException("The archive holds an entry of type '" + type + "', which is not expected.");
        }
    }

    private static String name(byte[] header) {
        boolean posix = header[262] == 0;
        String prefix = posix ? text(header, 345, 155) : "";
        String name = text(header, 0, 100);
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private Path target(String name) throws IOException {
        Path target = folder.resolve(name).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("The archive holds an entry outside its folder: " + name);
        }
        return target;
    }

    private static void link(Path target, String to) throws IOException {
        Files.createDirectories(parent(target));
        Files.createSymbolicLink(target, Path.of(to));
    }

    private void file(Path target, long size, int mode) throws IOException {
        Files.createDirectories(parent(target));
        try (OutputStream out = Files.newOutputStream(target)) {
            copy(size, out);
        }
        Files.setPosixFilePermissions(target, permissions(mode));
    }

    private static Path parent(Path target) throws IOException {
        Path parent = target.getParent();
        if (parent == null) {
            throw new IOException("The archive holds an entry without a folder: " + target);
        }
        return parent;
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions =
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        if ((mode & 0100) != 0) {
            permissions.add(PosixFilePermission.OWNER_EXECUTE);
        }
        return permissions;
    }

    private byte[] content(long size) throws IOException {
        byte[] content = in.readNBytes((int) size);
        skipPadding(size);
        return content;
    }

    private void copy(long size, OutputStream out) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (long left = size; left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) {
                throw new EOFException("The archive ends within a file.");
            }
            out.write(buffer, 0, read);
            left -= read;
        }
        skipPadding(size);
    }

    private void skipPadding(long size) throws IOException {
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }

    private static long octal(byte[] header, int from, int length) {
        String digits = text(header, from, length).strip();
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }
}
