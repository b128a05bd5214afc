package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    private static final Path HOME = Path.of("/home/ann");

    @Test
    void liesWhereTheSystemKeepsCaches() {
        assertThat(CacheFolder.usual(Map.of(), "Linux", HOME)).isEqualTo(Path.of("/home/ann/.cache/weir"));
        assertThat(CacheFolder.usual(Map.of(), "Mac OS X", HOME)).isEqualTo(Path.of("/home/ann/Library/Caches/weir"));
    }

    @Test
    void followsXdgAndWeirCacheBeforeIt() {
        Map<String, String> xdg = Map.of("XDG_CACHE_HOME", "/var/caches");
        Map<String, String> both = Map.of("XDG_CACHE_HOME", "/var/caches", "WEIR_CACHE", "/fast/disk");

        assertThat(CacheFolder.usual(xdg, "Linux", HOME)).isEqualTo(Path.of("/var/caches/weir"));
        assertThat(CacheFolder.usual(both, "Linux", HOME)).isEqualTo(Path.of("/fast/disk"));
    }

    @Test
    void anXdgFolderThatIsNotAbsoluteIsIgnored() {
        assertThat(CacheFolder.usual(Map.of("XDG_CACHE_HOME", "caches"), "Linux", HOME))
                .isEqualTo(Path.of("/home/ann/.cache/weir"));
    }

    @Test
    void saysHowMuchRoomIsMissing() {
        long mebibyte = 1024L * 1024;
        assertThatCode(() -> CacheFolder.requireFreeSpace(HOME, 400 * mebibyte, 400 * mebibyte))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> CacheFolder.requireFreeSpace(HOME, 12 * mebibyte, 400 * mebibyte))
                .isInstanceOf(StackException.class)
                .hasMessage("The servers need 400 MB of disk below /home/ann, and 12 MB are free: free some space,"
                        + " or set WEIR_CACHE to a folder on another disk.");
    }

    @Test
    void saysThatAFileIsInTheWay(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThatThrownBy(() -> new CacheFolder(file).create())
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith("The folder " + file + " cannot be created or written")
                .hasMessageEndingWith("set WEIR_CACHE to a folder that can.");
    }

    @Test
    void leavesThePermissionsOfAFolderThatWasThereBeforeAlone(@TempDir Path folder) throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));

        CacheFolder cache = new CacheFolder(shared);
        cache.create();

        assertThat(permissions(shared)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(cache.runs())).isEqualTo("rwx------");
        assertThat(permissions(cache.binaries())).isEqualTo("rwx------");
    }

    @Test
    void keepsOthersOutOfARootItMakes(@TempDir Path folder) throws Exception {
        CacheFolder cache = new CacheFolder(folder.resolve("a/weir"));
        cache.create();

        assertThat(permissions(cache.root())).isEqualTo("rwx------");
    }

    private static String permissions(Path folder) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }
}
