package dev.weir.starter.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadsWarningsTest {

    private static final ThreadsWarnings NOTHING =
            new ThreadsWarnings(25, Optional.of("7.1.0"), Optional.empty(), true);

    @Test
    void aSoundServiceIsNotWarned() {
        assertThat(NOTHING.sentences()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"6.3.3,true", "7.0.2,true", "7.1.0,false", "7.10.0,false", "8.0.0,false", "unknown,false"})
    void hikariBeforeItsRepairIsNamed(String version, boolean warned) {
        var warnings = new ThreadsWarnings(25, Optional.of(version), Optional.empty(), true);

        assertThat(warnings.sentences().stream().anyMatch(sentence -> sentence.startsWith("HikariCP is " + version)))
                .isEqualTo(warned);
    }

    @Test
    void theVersionOnTheClassPathIsRead() {
        assertThat(HikariVersion.on(ThreadsWarningsTest.class.getClassLoader())).hasValue("7.1.0");
    }

    @Test
    void tomcatWithoutALimiterIsToldWhatBoundsIt() {
        assertThat(new ThreadsWarnings(25, Optional.empty(), Optional.of(8_192), false).sentences())
                .singleElement()
                .asString()
                .contains("only server.tomcat.max-connections does (8192)");
        assertThat(new ThreadsWarnings(25, Optional.empty(), Optional.of(8_192), true).sentences())
                .isEmpty();
    }

    @Test
    void anOldJvmPinsInSynchronized() {
        assertThat(new ThreadsWarnings(21, Optional.empty(), Optional.empty(), true).sentences())
                .singleElement()
                .asString()
                .contains("On JDK 21");
    }
}
