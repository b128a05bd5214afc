package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.compare.ToyService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(300)
class CompareIT {

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void twiceTheServiceTimeIsSlowerInEveryWay() throws IOException {
        Path json = folder.resolve("result.json");
        Path page = folder.resolve("result.html");

        int exitCode = compare(
                "--a",
                "--sleep-millis=5",
                "--b",
                "--sleep-millis=10",
                "--fail-if-slower",
                "--json",
                json.toString(),
                "--report",
                page.toString());

        assertThat(exitCode).describedAs(err.toString()).isEqualTo(ExitCode.SLO_FAILED);
        JsonNode figures = JsonMapper.shared().readTree(Files.readString(json)).get("figures");
        assertThat(verdict(figures, "capacity")).isEqualTo("slower");
        assertThat(verdict(figures, "latency-p50")).isEqualTo("slower");
        assertThat(verdict(figures, "cpu-per-request")).doesNotStartWith("not-");
        assertThat(out.toString()).contains("Capacity: B is slower by ");
        assertThat(Files.readString(page)).contains("Capacity: B is slower by ");
    }

    @Test
    void twoOfTheSameShowNoDifference() {
        int exitCode = compare("--env", "UNUSED=1", "--set", "sleep-millis=5", "--figures", "capacity");

        assertThat(exitCode).describedAs(err.toString()).isZero();
        assertThat(out.toString()).contains("Capacity: no difference that this machine can show");
    }

    private int compare(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "compare",
                "--command",
                String.join(" ", ToyService.command("--threads=4", "--port={port}")),
                "--url",
                "http://127.0.0.1:{port}/",
                "--time",
                "5s",
                "--warmup",
                "1s",
                "--rounds",
                "1",
                "--share",
                "0.3",
                "-c",
                "16"));
        arguments.addAll(List.of(more));
        return Weir.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }

    private static String verdict(JsonNode figures, String figure) {
        return figures.values().stream()
                .filter(node -> node.get("figure").asString().equals(figure))
                .findFirst()
                .orElseThrow()
                .get("verdict")
                .asString();
    }
}
