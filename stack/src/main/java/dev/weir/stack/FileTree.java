package dev.weir.stack;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Copies, publishes and removes whole folders; symbolic links are never followed. */
final class FileTree {
    private static final int DELETE_ATTEMPTS = 5;

    private FileTree() {}

    /** Copies a folder with the permissions of everything in it; {@code to} must not exist. */
    static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                return copyOne(folder);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                return copyOne(file);
            }

            private FileVisitResult copyOne(Path path) throws IOException {
                Files.copy(
                        path,
                        to.resolve(from.relativize(path)),
                        StandardCopyOption.COPY_ATTRIBUTES,
                        LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /**
     * Gives a finished folder its final name in one step. When another process was faster its folder stays and ours is removed:
     * both hold the same.
     */
    static void publish(Path finished, Path name) throws IOException {
        try {
            Files.move(finished, name, StandardCopyOption.ATOMIC_MOVE);
        } catch (DirectoryNotEmptyException | FileAlreadyExistsException alreadyThere) {
            delete(finished);
        }
    }

    /**
     * Removes a folder and all below it; quietly does nothing when it is not there. Tries again when something appears while
     * deleting, as a dying server may still write.
     */
    static void delete(Path folder) throws IOException {
        for (int attempt = 1; Files.exists(folder, LinkOption.NOFOLLOW_LINKS); attempt++) {
            try {
                deleteOnce(folder);
            } catch (DirectoryNotEmptyException | NoSuchFileException changing) {
                if (attempt == DELETE_ATTEMPTS) {
                    throw changing;
                }
            }
        }
    }

    private static void deleteOnce(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
