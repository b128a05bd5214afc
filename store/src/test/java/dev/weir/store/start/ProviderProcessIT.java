package dev.weir.store.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderProcessIT {

    private static final String MAIN = "dev.weir.store.provider.ProviderMain";

    @TempDir
    Path folder;

    @Test
    void endsWithTheProcessItIsTiedToEvenWhenThatIsKilled() throws Exception {
        Process parent = new ProcessBuilder("sleep", "600").start();
        try (var provider = Child.start(folder, MAIN, "--port-file", "--port=0", "--exit-with-pid=" + parent.pid())) {
            assertThat(provider.http().get("/admin").status()).isEqualTo(200);

            parent.destroyForcibly();

            assertThat(provider.exitCode()).isZero();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void aWrongArgumentEndsItAtOnce() throws Exception {
        try (var provider = Child.start(folder, MAIN, "--port-file", "--payments.failure-rate=2")) {
            assertThat(provider.exitCode()).isEqualTo(2);
            assertThat(provider.output()).contains("give a number from 0 to 1").contains("Arguments:");
        }
    }
}
