package dev.weir.app;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What readers meet first: the pages at the root and below docs. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern CONFLICT = Pattern.compile("(?m)^(<{7} |={7}$|>{7} )");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @ParameterizedTest
    @MethodSource("pages")
    void holdsNoLeftoversOfAMerge(Path page) throws IOException {
        assertThat(CONFLICT.matcher(Files.readString(page)).results()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksToWhatExists(Path page) throws IOException {
        assertThat(LINK.matcher(Files.readString(page)).results())
                .filteredOn(link -> !link.group(1).contains(":"))
                .allSatisfy(link -> {
                    Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                    assertThat(target).exists();
                    if (link.group(2) != null) {
                        assertThat(anchors(target)).as(target.toString()).contains(link.group(2));
                    }
                });
    }

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> root = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(root, docs).filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
        }
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1)
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(toSet());
    }
}
