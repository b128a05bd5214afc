package dev.weir.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A system and processor that server binaries exist for.
 *
 * @param name for folder names, such as {@code linux-amd64}
 * @param postgresResource the archive inside the PostgreSQL artifact
 * @param redisResource the executable inside the Redis artifact
 */
record Platform(String name, String postgresResource, String redisResource) {
    /** The platform of this JVM, or a sentence that names the ones that work. */
    static Platform current() {
        boolean musl = Files.exists(Path.of("/lib/ld-musl-x86_64.so.1"))
                && !Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"));
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""), musl);
    }

    static Platform of(String osName, String osArch, boolean musl) {
        String system = osName.toLowerCase(Locale.ROOT);
        boolean arm = osArch.equals("aarch64");
        boolean intel = osArch.equals("amd64") || osArch.equals("x86_64");
        if (system.equals("linux") && !musl && (arm || intel)) {
            return arm
                    ? new Platform("linux-arm64", "postgres-linux-arm_64.txz", "redis-server-6.2.7-linux-arm64")
                    : new Platform("linux-amd64", "postgres-linux-x86_64.txz", "redis-server-6.2.6-v5-linux-amd64");
        }
        if (system.startsWith("mac") && (arm || intel)) {
            return arm
                    ? new Platform("darwin-arm64", "postgres-darwin-arm_64.txz", "redis-server-6.2.6-v5-darwin-arm64")
                    : new Platform("darwin-amd64", "postgres-darwin-x86_64.txz", "redis-server-6.2.6-v5-darwin-amd64");
        }
        throw new StackException(
                "The stack has no servers for %s on %s%s: it runs on Linux (glibc) and macOS, on amd64 and arm64."
                        .formatted(osName, osArch, musl ? " with musl" : ""));
    }
}
