package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.diagnose.Verdict.Evidence;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Capacity.Limit;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.knee.Usl;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.SecondSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Results to render: one a user would see, and those that strain a page. */
final class SampleChecks {

    static final String HOSTILE =
            "http://127.0.0.1/</script><img src=x onerror=\"document.title='broken'\"><!--<script>"
                    + "\u2028'`{{sentence}}&amp;\u0000";

    private static final String COMMAND =
            "weir check http://127.0.0.1:8080/mapi-mock/1/dummy --slo 'p99<200ms,errors<0.1%'";
    private static final LatencySummary NO_LATENCY = new LatencySummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    private static final CheckResult WORKER_THREADS = simulatedWorkerThreads();
    private static final CheckResult AFTER_THE_CHANGE = simulatedAfterTheChange();

    /** 200 worker threads, 50 ms a request: 4,000/s. */
    static CheckResult workerThreads() {
        return WORKER_THREADS;
    }

    private static CheckResult simulatedWorkerThreads() {
        return workers(
                200,
                new Capacity(3_900, 4_050, Limit.PLATEAU),
                new Verdict(
                        Cause.WORKER_THREADS,
                        "The service stalls at 3,900 to 4,050 requests/s because all 200 request threads are busy, each for "
                                + "50 ms a request (200 / 0.05 s = 4,000/s), while the CPUs are 7 % in use.",
                        List.of(
                                new Evidence(
                                        "Busy request threads at the knee",
                                        "198 of 200",
                                        "Tomcat ThreadPool MBean, http-nio-8080"),
                                new Evidence("Threads / latency", "200 / 50.3 ms = 3,976/s", "step 12"),
                                new Evidence("CPU of the service at the knee", "0.47 of 8 CPUs", "process CPU time"),
                                new Evidence(
                                        "Where busy threads wait",
                                        "dev.weir.store.message.MockGateway.dummy:41",
                                        "thread dumps, 20 of 20")),
                        new Change(
                                "server.tomcat.threads.max",
                                "200",
                                "400",
                                "8,000/s × 0.050 s = 400 threads; memory for their stacks and the CPUs allow it",
                                8_000.0),
                        List.of()));
    }

    /** The same after the change: 400 threads, 8,000/s. */
    static CheckResult afterTheChange() {
        return AFTER_THE_CHANGE;
    }

    private static CheckResult simulatedAfterTheChange() {
        return workers(
                400,
                new Capacity(7_800, 8_100, Limit.PLATEAU),
                new Verdict(
                        Cause.WORKER_THREADS,
                        "The service stalls at 7,800 to 8,100 requests/s because all 400 request threads are busy.",
                        List.of(),
                        new Change("server.tomcat.threads.max", "400", "800", "16,000/s × 0.050 s", null),
                        List.of("The connections of the provider could not be counted.")));
    }

    private static CheckResult workers(int workers, Capacity capacity, Verdict verdict) {
        double ceiling = workers / 0.05;
        double[] shares = {0.075, 0.15, 0.3, 0.6, 1.2, 0.9, 1.05, 0.975, 1.0125, 0.975, 1.0125, 0.975, 1.0125};
        List<Step> steps = IntStream.range(0, shares.length)
                .mapToObj(i -> new SimulatedStep(workers, 0.05, shares[i] * ceiling, i < 9 ? 5 : 8, i)
                        .step(i + 1, i < 9 ? "search" : "confirm"))
                .toList();
        return new CheckResult(
                CheckResult.SCHEMA,
                "http://127.0.0.1:8080/mapi-mock/1/dummy",
                Instant.parse("2026-11-30T19:22:58Z"),
                Duration.ofSeconds(143),
                new Machine("AMD EPYC 9B14", 8, 16L << 30, "Linux 6.1.0, Debian 12", "Eclipse Adoptium 25.0.3+9-LTS"),
                new CheckResult.Service(4_711, "store.jar", "Eclipse Adoptium 25.0.3+9-LTS"),
                new Slo(List.of(new Slo.LatencyBound(99, 200)), 0.001),
                new CheckResult.Calibration(96_400, 9.8),
                new CheckResult.WarmUp(
                        Duration.ofMillis(18_300), 21_440, true, "throughput changed by less than 2 % over 5 s"),
                capacity,
                new Usl(20.6, 0.0008, 3.6e-6, Math.sqrt(0.9992 / 3.6e-6), 0.064),
                verdict,
                steps);
    }

    /** Nothing could be seen or found, and every text is hostile. */
    static CheckResult nothingSeen() {
        return with(
                new Capacity(0, Double.POSITIVE_INFINITY, Limit.GENERATOR),
                new Verdict(Cause.UNKNOWN, "Cannot tell: " + HOSTILE, List.of(), null, List.of(HOSTILE)),
                List.of());
    }

    /** The highest rate allowed was sustained, in one step. */
    static CheckResult oneStep() {
        return with(
                new Capacity(1_000, Double.POSITIVE_INFINITY, Limit.MAX_RATE),
                new Verdict(Cause.NONE, "No limit was found up to 1,000 requests/s.", List.of(), null, List.of()),
                List.of(new SimulatedStep(200, 0.05, 1_000, 3, 1).step(1, "confirm")));
    }

    /** Nothing ever completed, so there is no latency and no ratio. */
    static CheckResult allFailed() {
        return with(
                new Capacity(0, 100, Limit.ERRORS),
                new Verdict(Cause.UNKNOWN, "Cannot tell: every request failed.", List.of(), null, List.of()),
                List.of(failed(1, 100, 5), failed(2, 200, 5), failed(3, 100, 5)));
    }

    /** Two hours under load. */
    static CheckResult thousandsOfSeconds() {
        return with(
                new Capacity(50, 60, Limit.SLO),
                new Verdict(Cause.UNKNOWN, "Cannot tell after two hours.", List.of(), null, List.of()),
                List.of(failed(1, 100, 3_600), failed(2, 200, 3_600)));
    }

    private static CheckResult with(Capacity capacity, Verdict verdict, List<Step> steps) {
        return new CheckResult(
                CheckResult.SCHEMA,
                HOSTILE,
                Instant.EPOCH,
                Duration.ofMillis(420),
                new Machine("unknown", 1, 512L << 20, "Linux", HOSTILE),
                null,
                new Slo(List.of(), 0.001),
                new CheckResult.Calibration(96_400, 9.8),
                new CheckResult.WarmUp(Duration.ZERO, 0, false, HOSTILE),
                capacity,
                null,
                verdict,
                steps);
    }

    private static Step failed(int index, double offered, int seconds) {
        List<SecondSample> samples = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            samples.add(new SecondSample(second, (long) offered, 0, 0, (long) offered, 0, 0, 0));
        }
        return new Step(
                index,
                "search",
                offered,
                0,
                0,
                Duration.ofSeconds(seconds),
                false,
                List.of("every request failed: " + HOSTILE),
                Map.of("connect", (long) (offered * seconds) - 3, "timeout", 3L),
                Map.of("connect", HOSTILE, "timeout", "timeout"),
                0,
                Double.NaN,
                NO_LATENCY,
                NO_LATENCY,
                NO_LATENCY,
                samples,
                new GeneratorCost(4_000_000, 0.01, -1, -1, 1),
                null);
    }

    static AbResult abResult() {
        LinkedHashMap<String, String> conditions = new LinkedHashMap<>();
        conditions.put("Order", "A B B A, 4 rounds");
        conditions.put("A/A floor", "±1.8 %");
        return new AbResult(
                "B is faster by 12 % (9 to 15 %)",
                "java -jar store.jar",
                "java -jar store.jar " + HOSTILE,
                List.of(
                        new AbResult.Row("Capacity, requests/s", "3,950", "4,424", "+12 %", "+9 to +15 %", "faster"),
                        new AbResult.Row(
                                "CPU a request, µs",
                                "120",
                                "121",
                                null,
                                null,
                                "no difference that this machine can show")),
                conditions,
                List.of("The schedule was cut short: " + HOSTILE));
    }

    /** Writes every sample page into a folder, to look at. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        Files.writeString(folder.resolve("check.html"), CheckReport.render(workerThreads(), COMMAND));
        Files.writeString(folder.resolve("nothing-seen.html"), CheckReport.render(nothingSeen()));
        Files.writeString(folder.resolve("one-step.html"), CheckReport.render(oneStep()));
        Files.writeString(folder.resolve("all-failed.html"), CheckReport.render(allFailed()));
        Files.writeString(folder.resolve("thousands-of-seconds.html"), CheckReport.render(thousandsOfSeconds()));
        Files.writeString(folder.resolve("comparison.html"), ComparisonPage.render(comparison()));
        Files.writeString(folder.resolve("ab.html"), ComparisonPage.render(abResult()));
    }

    static Comparison comparison() {
        return new Comparison(workerThreads(), afterTheChange(), "server.tomcat.threads.max from 200 to 400");
    }

    private SampleChecks() {}
}
