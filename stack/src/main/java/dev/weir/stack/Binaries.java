package dev.weir.stack;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import org.tukaani.xz.XZInputStream;

/** The servers' executables, unpacked once from the artifacts on the class path and kept in the cache folder. */
final class Binaries {
    private final CacheFolder cache;
    private final Platform platform;
    private final StackProgress progress;
    private final Properties versions = loadVersions();

    Binaries(CacheFolder cache, Platform platform, StackProgress progress) {
        this.cache = cache;
        this.platform = platform;
        this.progress = progress;
    }

    String version(String server) {
        return versions.getProperty(server, "unknown");
    }

    /** The folder with {@code bin}, {@code lib} and {@code share} of PostgreSQL. */
    Path postgres() {
        return unpacked("postgres", "PostgreSQL", platform.postgresResource(), (in, folder) -> {
            try (XZInputStream archive = new XZInputStream(in)) {
                TarReader.unpack(new BufferedInputStream(archive, 1 << 16), folder);
            }
        });
    }

    /** The executable of Redis. */
    Path redis() {
        return unpacked("redis", "Redis", platform.redisResource(), (in, folder) -> {
                    Path executable = folder.resolve("redis-server");
                    Files.copy(in, executable);
                    Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwx------"));
                })
                .resolve("redis-server");
    }

    private interface Unpacker {
        void unpack(InputStream resource, Path folder) throws IOException;
    }

    private Path unpacked(String name, String label, String resource, Unpacker unpacker) {
        Path folder = cache.binaries().resolve(name + "-" + version(name) + "-" + platform.name());
        if (Files.isDirectory(folder)) {
            return folder;
        }
        progress.step("Unpacking %s %s (only the first time)".formatted(label, version(name)));
        try (InputStream in = Binaries.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new StackException(
                        "The artifact with %s for %s is not on the class path: build with Maven on this machine."
                                .formatted(label, platform.name()));
            }
            Path fresh = Files.createTempDirectory(cache.binaries(), Runs.UNFINISHED);
            unpacker.unpack(in, fresh);
            FileTree.publish(fresh, folder);
            return folder;
        } catch (IOException e) {
            throw new StackException(
                    "%s cannot be unpacked into %s: %s.".formatted(label, cache.binaries(), e.getMessage()), e);
        }
    }

    private static Properties loadVersions() {
        Properties versions = new Properties();
        try (InputStream in = Binaries.class.getResourceAsStream("versions.properties")) {
            if (in != null) {
                versions.load(in);
            }
        } catch (IOException e) {
            throw new StackException("The list of server versions cannot be read.", e);
        }
        return versions;
    }
}
