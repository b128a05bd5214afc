package dev.weir.store.problems;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTypeTest {

    private static final Path REFERENCE = Path.of("..", "docs", "reference", "store.md");

    @ParameterizedTest
    @EnumSource
    void everyProblemStandsInTheReferenceWithItsStatus(ProblemType type) throws IOException {
        String name = type.uri().toString().replace("urn:weir:store:problem:", "");

        assertThat(Files.readString(REFERENCE))
                .contains("| `" + name + "` | " + type.status().value() + " |");
    }
}
