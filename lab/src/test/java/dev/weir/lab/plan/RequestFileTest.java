package dev.weir.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestFileTest {
    private static final String URL = "http://localhost:8080";

    @TempDir
    private Path folder;

    @Test
    void sendsEachRequestAsOftenAsItsWeightSays() throws IOException {
        RequestSource source = source("""
                requests:
                  - {name: read, weight: 90, path: /read}
                  - {name: write, weight: 10, method: POST, path: /write}
                """);

        long writes = messages(source, 10_000)
                .filter(m -> m.startsWith("POST /write "))
                .count();

        assertThat(writes / 10_000.0).isCloseTo(0.1, within(0.02));
    }

    @Test
    void refusesBracketsNestedTooDeeply() throws IOException {
        Path file = Files.writeString(folder.resolve("deep.yaml"), "requests: " + "[".repeat(20_000));

        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> RequestPlan.read(file, URL, List.of()))
                .withMessageContaining("deep.yaml nests its brackets too deeply");
    }

    @Test
    void readsNoColumnFromADeviceWithoutEnd() {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> CsvColumn.read(Path.of("/dev/zero"), "a"))
                .withMessage("/dev/zero is larger than 32 MB: take a part of it");
    }

    @Test
    void fillsPathHeadersAndBody() throws IOException {
        Files.writeString(folder.resolve("skus.csv"), "sku,price\n\"a \"\"b\"\"\",1\nc/d,2\n");
        RequestSource source = source("""
                requests:
                  - name: order
                    path: "/shops/{shop}/skus/{sku}?v={shop}"
                    headers: {Idempotency-Key: "{uuid}", X-Sku: "{sku}"}
                    body: '{"shop": {shop}, "sku": "{sku}", "note": {"text": "{{shop}}"}}'
                values:
                  shop: {sequence: {from: 7, to: 9}}
                  sku: {csv: {file: skus.csv, column: sku}}
                """);

        List<String> sent = messages(source, 4).toList();

        assertThat(sent.getFirst().replace("\r\n", "\n")).matches("""
                        POST /shops/7/skus/a%20%22b%22\\?v=7 HTTP/1.1
                        Host: localhost:8080
                        User-Agent: weir
                        Idempotency-Key: [0-9a-f-]{36}
                        X-Sku: a "b"
                        Content-Length: 55

                        \\{"shop": 7, "sku": "a "b"", "note": \\{"text": "\\{shop}"}}\
                        """);
        assertThat(sent.get(1)).startsWith("POST /shops/8/skus/c%2Fd?v=8 ");
        assertThat(sent.get(2)).startsWith("POST /shops/9/skus/a%20%22b%22?v=9 ");
        assertThat(sent.get(3)).startsWith("POST /shops/7/skus/c%2Fd?v=7 ");
        assertThat(sent).allSatisfy(RequestFileTest::hasItsContentLength);
    }

    @Test
    void splitsASequenceAmongThreadsWithoutOverlap() throws IOException {
        RequestSource.Factory factory = plan("""
                        requests: [{path: "/{n}"}]
                        values: {n: {sequence: {from: 1, to: 12}}}
                        """).sources(1);

        List<String> sent = IntStream.range(0, 3)
                .boxed()
                .flatMap(thread -> messages(factory.create(thread, 3), 4))
                .map(message -> message.replaceFirst("(?s)GET /(\\d+) .*", "$1"))
                .toList();

        assertThat(sent)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 12).mapToObj(String::valueOf).toList());
    }

    @Test
    void repeatsARunOfTheSameSeedAndNoOther() throws IOException {
        RequestPlan plan = plan("""
                requests: [{path: "/{a}/{b}/{c}/{uuid}"}]
                values:
                  a: {random: {to: 1000000}}
                  b: {zipf: {to: 1000000, exponent: 0.9}}
                  c: {random: {from: -5, to: 5}}
                """);

        List<String> first = messages(plan.sources(5).create(1, 2), 20).toList();

        assertThat(messages(plan.sources(5).create(1, 2), 20)).isEqualTo(first);
        assertThat(messages(plan.sources(6).create(1, 2), 20)).isNotEqualTo(first);
        assertThat(messages(plan.sources(5).create(0, 2), 20)).isNotEqualTo(first);
    }

    @Test
    void sendsAnotherUuidWithEachRequest() throws IOException {
        RequestSource source = source("requests: [{path: '/{uuid}'}]");

        assertThat(messages(source, 100).distinct()).hasSize(100);
    }

    @Test
    void takesTheUrlOfTheFileWhereTheCommandLineHasNone() throws IOException {
        Path file = write("url: https://shop.example\nrequests: [{path: /}]\n");

        assertThat(RequestPlan.read(file, null, List.of()).target().url()).isEqualTo("https://shop.example/");
        assertThat(RequestPlan.read(file, URL, List.of()).target().url()).isEqualTo("http://localhost:8080/");
    }

    @Test
    void putsHeadersOfTheCommandLineIntoEveryRequest() throws IOException {
        Path file = write("requests: [{path: /, headers: {accept: a/b}}]");

        RequestPlan plan = RequestPlan.read(file, URL, List.of(Header.parse("Accept: c/d")));

        assertThat(messages(plan.sources(1).create(0, 1), 1).findFirst().orElseThrow())
                .contains("Accept: c/d\r\n")
                .doesNotContain("a/b");
    }

    @Test
    void readsABodyFromAFileBesideIt() throws IOException {
        Files.writeString(folder.resolve("body.json"), "{\"a\": {a}}");

        assertThat(messages(source("requests: [{path: /, body-file: body.json}]"), 1))
                .allMatch(message -> message.startsWith("POST / ") && message.endsWith("{\"a\": {a}}"));
    }

    static Stream<Arguments> wrongFiles() {
        return Stream.of(
                wrong("", "is empty"),
                wrong("requests: [", ":1: not valid YAML"),
                wrong("requests: []", ":1: 'requests' must be a list with at least one request"),
                wrong("request:\n- {path: /}", ":2: unknown key 'request' in the file (did you mean 'requests'?)"),
                wrong(
                        "requests:\n- {path: /,\n   wieght: 2}",
                        ":3: unknown key 'wieght' in a request (did you mean 'weight'?)"),
                wrong("requests:\n- {weight: 2}", ":2: 'path' is missing"),
                wrong("requests:\n- {path: x}", ":2: 'path' is 'x': it must begin with '/'"),
                wrong("requests:\n- {path: /, weight: 0}", ":2: 'weight' is 0"),
                wrong("requests:\n- {path: /, weight: -1}", ":2: 'weight' is '-1'"),
                wrong("requests:\n- {path: /, weight: .nan}", ":2: 'weight' is '.nan'"),
                wrong("requests:\n- {path: /, weight: NaN}", ":2: 'weight' is 'NaN'"),
                wrong("requests:\n- {path: /, weight: 1e309}", ":2: 'weight' is '1e309'"),
                wrong("requests:\n- {path: /, path: /x}", ":2: 'path' is given twice"),
                wrong("requests:\n- {path: /, method: G T}", ":2: 'G T' is not an HTTP method"),
                wrong("requests:\n- {path: /, headers: {A B: c}}", ":2: 'A B' is not the name of a header"),
                wrong(
                        "requests:\n- {path: /, headers: {A: \"b\\r\\nc\"}}",
                        ":2: the value of header A holds a line break"),
                wrong("requests:\n- {path: \"/\\n\"}", ":2: path '/?' holds a control character"),
                wrong("requests:\n- {path: /, body: {a: b}}", ":2: 'body' must be a text: put text that begins with"),
                wrong("requests:\n- {path: /, body: a, body-file: b}", ":2: a request has both"),
                wrong("requests:\n- {path: /, body-file: none.json}", "none.json does not exist"),
                wrong(
                        "requests:\n- {path: '/{idd}'}\nvalues: {id: {random: {to: 3}}}",
                        ":2: {idd} names no value (did you mean 'id'?)"),
                wrong(
                        "requests:\n- {path: /}\nvalues: {id: {random: {from: 3, to: 2}}}",
                        ":3: the range from 3 to 2 is empty"),
                wrong("requests:\n- {path: /}\nvalues: {id: {random: {from: 3}}}", ":3: 'to' is missing"),
                wrong(
                        "requests:\n- {path: /}\nvalues: {id: {random: {to: 99999999999999999999}}}",
                        "must be a whole number"),
                wrong("requests:\n- {path: /}\nvalues: {id: {zipf: {to: 9, exponent: -1}}}", ":3: 'exponent' is '-1'"),
                wrong("requests:\n- {path: /}\nvalues: {id: {zipf: {to: 9}, random: {to: 9}}}", "exactly one source"),
                wrong("requests:\n- {path: /}\nvalues: {id: {zpif: {to: 9}}}", "did you mean 'zipf'?"),
                wrong("requests:\n- {path: /}\nvalues: {uuid: {random: {to: 9}}}", "needs no declaration"),
                wrong("requests:\n- {path: /}\nvalues: {a b: {random: {to: 9}}}", "cannot be the name of a value"),
                wrong("requests:\n- {path: /}\nvalues: {a: {csv: {file: no.csv, column: x}}}", "no.csv does not exist"),
                wrong("requests:\n- {path: /}\nvalues: {a: {csv: {file: ., column: x}}}", "is a folder"),
                wrong(
                        "requests:\n- {path: /}\nvalues: {a: {csv: {file: a.csv, column: skuu}}}",
                        "has no column 'skuu' (did you mean 'sku'?)"),
                wrong(
                        "requests:\n- {path: /}\nvalues: {a: {csv: {file: empty.csv, column: sku}}}",
                        "has no line below"),
                wrong("requests:\n- {path: /}\nvalues: {a: {csv: {file: open.csv, column: sku}}}", "never closes it"),
                wrong(
                        "requests:\n- {path: /, headers: {A: '{a}'}}\nvalues: {a: {csv: {file: break.csv, column: sku}}}",
                        ":2: {a} stands in a header"),
                wrong("url: localhost\nrequests:\n- {path: /}", ":1: 'localhost' is not a URL"),
                wrong("url: http://localhost/x\nrequests:\n- {path: /}", ":1: the URL has the path /x"),
                wrong("requests:\n- {path: /}", "no URL: give it on the command line"),
                wrong("- a\n- b", ":1: the file must be a list of 'key: value'"),
                wrong("a: &a [*a]", "mix.yaml:1: "));
    }

    private static Arguments wrong(String content, String message) {
        return Arguments.of(content, message);
    }

    @ParameterizedTest
    @MethodSource("wrongFiles")
    void refusesAWrongFileInOneSentenceWithItsLine(String content, String message) throws IOException {
        Files.writeString(folder.resolve("a.csv"), "sku,price\n1,2\n");
        Files.writeString(folder.resolve("empty.csv"), "sku,price\n");
        Files.writeString(folder.resolve("open.csv"), "sku,price\n\"1,2\n");
        Files.writeString(folder.resolve("break.csv"), "sku\n\"1\n2\"\n");
        Path file = write(content);

        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> RequestPlan.read(file, null, List.of()))
                .withMessageStartingWith(file.toString())
                .withMessageContaining(message)
                .withMessageMatching("[^\\r\\n]+");
    }

    @Test
    void refusesAFileThatIsMissing() {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> RequestPlan.read(folder.resolve("none.yaml"), URL, List.of()))
                .withMessageContaining("none.yaml does not exist");
    }

    private static void hasItsContentLength(String message) {
        Matcher length = Pattern.compile("Content-Length: (\\d+)\r\n\r\n").matcher(message);
        assertThat(length.find()).isTrue();
        assertThat(message.substring(length.end()).getBytes(StandardCharsets.UTF_8))
                .hasSize(Integer.parseInt(length.group(1)));
    }

    private RequestSource source(String content) throws IOException {
        return plan(content).sources(1).create(0, 1);
    }

    private RequestPlan plan(String content) throws IOException {
        return RequestPlan.read(write(content), URL, List.of());
    }

    private Path write(String content) throws IOException {
        return Files.writeString(folder.resolve("mix.yaml"), content);
    }

    private static Stream<String> messages(RequestSource source, int count) {
        return IntStream.range(0, count).mapToObj(i -> text(source.next()));
    }

    private static String text(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.duplicate().get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
