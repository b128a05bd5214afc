package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.cache.CacheConfig;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.convert.DurationStyle;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an IDE completes: every setting below {@code weir} says what it is and what holds where it is not set. */
class MetadataTest {

    private static final Pattern SAYS_ITS_DEFAULT = Pattern.compile("by default|not set|made at start");
    private static final Pattern EMPTY_BY_ITSELF = Pattern.compile("java\\.util\\.(List|Map)<.*");

    static Stream<JsonNode> properties() throws IOException, URISyntaxException {
        // Not by the class path, where the tests have such a file as well.
        Path classes = Path.of(FeatureNames.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        JsonNode all = JsonMapper.shared()
                .readTree(Files.readString(classes.resolve("META-INF/spring-configuration-metadata.json")))
                .path("properties");
        return StreamSupport.stream(all.spliterator(), false)
                .filter(property -> property.path("name").asString().startsWith("weir."));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aSettingIsDescribedAndItsDefaultKnown(JsonNode property) {
        String name = property.path("name").asString();
        String description = property.path("description").asString("");

        assertThat(description).as(name).isNotBlank().doesNotContain("&", "{@");
        assertThat(property.has("defaultValue")
                        || EMPTY_BY_ITSELF
                                .matcher(property.path("type").asString())
                                .matches()
                        || SAYS_ITS_DEFAULT.matcher(description).find())
                .as("%s has a default value or says what holds without one: %s", name, description)
                .isTrue();
    }

    @Test
    void everyFeatureIsThere() throws Exception {
        assertThat(properties().map(property -> property.path("name").asString()))
                .containsAll(FeatureNames.ALL.stream()
                        .map(feature -> "weir." + feature + ".enabled")
                        .toList())
                .hasSizeGreaterThan(60);
    }

    /** Written by hand in additional metadata, since they come from the library. */
    @Test
    void theDefaultsOfACacheAreThoseOfTheLibrary() throws Exception {
        CacheConfig built = CacheConfig.named("any");
        assertThat(duration("ttl")).isEqualTo(built.ttl());
        assertThat(duration("shared-ttl")).isEqualTo(built.sharedTtl());
        assertThat(duration("ttl-without-redis")).isEqualTo(built.ttlWithoutRedis());
        assertThat(duration("negative-ttl")).isEqualTo(built.negativeTtl());
        assertThat(duration("refresh-after")).isEqualTo(built.refreshAfter());
        assertThat(duration("stale-on-error-for")).isEqualTo(built.staleOnErrorFor());
        assertThat(duration("stale-on-pressure-for")).isEqualTo(built.staleOnPressureFor());
        assertThat(duration("lease-for")).isEqualTo(built.leaseFor());
        assertThat(duration("guard-for")).isEqualTo(built.guardFor());
        assertThat(ofACache("max-entries").asInt()).isEqualTo(built.maxEntries());
        assertThat(ofACache("max-pending-evictions").asInt()).isEqualTo(built.maxPendingEvictions());
        assertThat(ofACache("ttl-jitter").asDouble()).isEqualTo(built.ttlJitter());
        assertThat(ofACache("strict").asBoolean()).isEqualTo(built.strict());
        assertThat(ofACache("cluster-lease").asBoolean()).isEqualTo(built.clusterLease());
    }

    private static Duration duration(String name) throws Exception {
        return DurationStyle.detectAndParse(ofACache(name).asString());
    }

    private static JsonNode ofACache(String name) throws Exception {
        return properties()
                .filter(property -> property.path("name").asString().equals("weir.cache.defaults." + name))
                .findFirst()
                .orElseThrow()
                .path("defaultValue");
    }
}
