package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NegotiationTest {

    private static final List<String> TYPES = List.of("application/json", "application/x-protobuf");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/*|0",
                "application/json|0",
                "application/x-protobuf|1",
                "APPLICATION/X-Protobuf|1",
                "application/*|0",
                "application/json;q=0.5, application/x-protobuf|1",
                "application/json;q=0, */*|1",
                "*/*;q=0.1, application/x-protobuf;q=0.2|1",
                "application/*;q=0, application/json;q=0.1|0",
                "text/html|-1",
                "text/html, */*;q=0|-1",
                "application/json;q=2|-1",
                "application/json;charset=utf-8|0",
                "application/json;q=broken, application/x-protobuf|1",
                "''|0",
                "' , ,'|0",
                "', text/html'|-1"
            })
    void choosesTheRepresentation(String accept, int expected) {
        assertThat(Negotiation.representation(TYPES, List.of(accept))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip|true",
                "x-gzip|true",
                "br, GZIP;q=0.5|true",
                "gzip;q=0|false",
                "*|true",
                "*;q=0|false",
                "identity|false",
                "gzip;q=0.5, identity|false",
                "gzip, identity;q=0.5|true",
                "br|false",
                "'' |false"
            })
    void choosesGzip(String accept, boolean expected) {
        assertThat(Negotiation.gzip(List.of(accept))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*|true",
                "\"a\"|true",
                "W/\"a\"|true",
                "\"b\", \"a\"|true",
                "\"b\"|false",
                "a|false",
                "\"a|false",
                "\"a-gzip\"|false"
            })
    void matchesEntityTagsWeakly(String header, boolean expected) {
        assertThat(EntityTags.matches(Arrays.asList(header), "\"a\"")).isEqualTo(expected);
    }
}
