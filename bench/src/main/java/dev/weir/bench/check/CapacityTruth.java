package dev.weir.bench.check;

import dev.weir.lab.check.Check;
import dev.weir.lab.check.CheckConfig;
import dev.weir.lab.check.CheckListener;
import dev.weir.lab.check.CheckOutcome;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Does the interval of {@code weir check} contain the true capacity? Against services whose capacity is known, seeded:
 * c workers of exactly s seconds, and c workers of exponential service times. Asked for: in at least 19 of 20 runs each,
 * no wider than 10 %.
 *
 * <p>Run it alone on the machine with {@code bench/capacity-truth [RUNS [FIRST_SEED [FOLDER [KIND]]]]}; 20 runs of each take about one and a half hours.
 */
public final class CapacityTruth {
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final double WIDEST = 0.10;

    private record Stub(String name, String kind, int workers, double meanMillis) {
        double capacity() {
            return workers / meanMillis * 1000;
        }
    }

    private record Trial(long seed, Capacity capacity, double seconds, CheckOutcome.Ending ending) {
        double width() {
            return (capacity.highPerSecond() - capacity.lowPerSecond()) / capacity.midPerSecond();
        }

        boolean contains(double truth) {
            return capacity.lowPerSecond() <= truth && truth <= capacity.highPerSecond();
        }
    }

    private static final List<Stub> STUBS = List.of(
            new Stub("8 workers of exactly 20 ms", "fixed", 8, 20),
            new Stub("20 workers of exactly 10 ms", "fixed", 20, 10),
            new Stub("8 workers, exponential, mean 20 ms", "exponential", 8, 20),
            new Stub("20 workers, exponential, mean 10 ms", "exponential", 20, 10));

    /** Arguments: runs for each service (20), first seed (1), folder of the result (docs/results), a kind of service (all). */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        int first = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
        Path folder = Path.of(arguments.length > 2 ? arguments[2] : "docs/results");
        String kind = arguments.length > 3 ? arguments[3] : "";
        StringBuilder page = new StringBuilder(head(runs));
        StringBuilder details = new StringBuilder();
        for (Stub stub : STUBS.stream().filter(each -> each.kind.contains(kind)).toList()) {
            List<Trial> trials = new ArrayList<>();
            for (int seed = first; seed < first + runs; seed++) {
                Trial trial = run(stub, seed);
                trials.add(trial);
                System.out.println(line(stub, trial));
                details.append(line(stub, trial)).append('\n');
            }
            page.append(row(stub, trials));
        }
        page.append("\nEvery run:\n\n```\n").append(details).append("```\n");
        Files.createDirectories(folder);
        Path file = folder.resolve(
                LocalDate.now(ZoneOffset.UTC) + "-capacity-truth-seeds-" + first + "-to-" + (first + runs - 1) + ".md");
        Files.writeString(file, page);
        System.out.println("written to " + file);
    }

    private static Trial run(Stub stub, long seed) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        QueueStub.class.getName(),
                        stub.kind,
                        Integer.toString(stub.workers),
                        Double.toString(stub.meanMillis),
                        Long.toString(seed))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            int port = Integer.parseInt(
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine());
            Target target = Target.parse("http://127.0.0.1:" + port + "/");
            CheckConfig config = CheckConfig.of(
                            RequestPlan.get(target),
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                            1_000 * seed)
                    .within(CheckConfig.DEFAULT_BUDGET, WARM_UP, CheckConfig.DEFAULT_TIMEOUT);
            CheckOutcome outcome = new Check(config, CheckListener.silent()).run();
            return new Trial(
                    seed, outcome.result().capacity(), outcome.result().took().toMillis() / 1000.0, outcome.ending());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String head(int runs) {
        Machine machine = Machine.current();
        return String.format(
                Locale.ROOT,
                "# Capacity against the truth%n%n%s%n%nMachine: %s, %d CPUs, %s, %s. %d seeded runs of each service, default"
                        + " settings save a warm-up of at most %d s.%n%n"
                        + "| Service | True capacity | Contained | Widest | Median width | Median time |%n"
                        + "|---|---|---|---|---|---|%n",
                "Does the interval of `weir check` contain the capacity of services for which it is known? Asked for: in"
                        + " at least 19 of 20 runs, no wider than 10 %. Run by `bench/capacity-truth`.",
                machine.cpuModel(),
                machine.cpus(),
                machine.os(),
                machine.jdk(),
                runs,
                WARM_UP.toSeconds());
    }

    private static String row(Stub stub, List<Trial> trials) {
        long contained =
                trials.stream().filter(trial -> trial.contains(stub.capacity())).count();
        double widest = trials.stream().mapToDouble(Trial::width).max().orElse(Double.NaN);
        return String.format(
                Locale.ROOT,
                "| %s | %.0f/s | %d of %d | %.1f %%%s | %.1f %% | %.0f s |%n",
                stub.name,
                stub.capacity(),
                contained,
                trials.size(),
                100 * widest,
                widest > WIDEST ? " (too wide)" : "",
                100 * median(trials.stream().mapToDouble(Trial::width).toArray()),
                median(trials.stream().mapToDouble(Trial::seconds).toArray()));
    }

    private static String line(Stub stub, Trial trial) {
        return String.format(
                Locale.ROOT,
                "%-36s seed %2d  %8.1f to %8.1f/s  %5.1f %%  %-8s %-9s %5.0f s  %s",
                stub.name,
                trial.seed,
                trial.capacity.lowPerSecond(),
                trial.capacity.highPerSecond(),
                100 * trial.width(),
                trial.capacity.limit().id(),
                trial.ending.name().toLowerCase(Locale.ROOT),
                trial.seconds,
                trial.contains(stub.capacity()) ? "contains" : "MISSES");
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    private CapacityTruth() {}
}
