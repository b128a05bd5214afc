package dev.weir.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessNameTest {

    @Test
    void findsTheMainClassBehindTheOptionsOfJava() {
        assertThat(program("-Xmx1g -cp /opt/lib/a.jar shop.Main --port 1")).isEqualTo("shop.Main");
        assertThat(program("--add-exports jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED @args shop.Build"))
                .isEqualTo("shop.Build");
    }

    @Test
    void findsTheJarAndTheModule() {
        assertThat(program("-Dx=y -jar /opt/shop.jar")).isEqualTo("shop.jar");
        assertThat(program("-p lib -m shop/shop.Main")).isEqualTo("shop.Main");
    }

    @Test
    void namesThisJvmAndSaysNothingOfAProcessThatIsGone() {
        assertThat(ProcessName.of(ProcessHandle.current().pid())).startsWith("java");
        assertThat(ProcessName.of(Long.MAX_VALUE)).isEqualTo("unknown");
    }

    private static String program(String arguments) {
        return ProcessName.program(arguments.split(" ", -1)).orElse("");
    }
}
