package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PlatformTest {
    @Test
    void knowsLinuxAndMacOnBothProcessors() {
        assertThat(Platform.of("Linux", "amd64", false).name()).isEqualTo("linux-amd64");
        assertThat(Platform.of("Linux", "aarch64", false).name()).isEqualTo("linux-arm64");
        assertThat(Platform.of("Mac OS X", "x86_64", false).name()).isEqualTo("darwin-amd64");
        assertThat(Platform.of("Mac OS X", "aarch64", false).name()).isEqualTo("darwin-arm64");
    }

    @Test
    void namesWhatItCannotRunOn() {
        assertThatThrownBy(() -> Platform.of("Windows 11", "amd64", false))
                .isInstanceOf(StackException.class)
                .hasMessage("The stack has no servers for Windows 11 on amd64:"
                        + " it runs on Linux (glibc) and macOS, on amd64 and arm64.");
        assertThatThrownBy(() -> Platform.of("Linux", "s390x", false)).hasMessageContaining("Linux on s390x");
        assertThatThrownBy(() -> Platform.of("Linux", "amd64", true)).hasMessageContaining("Linux on amd64 with musl");
    }
}
