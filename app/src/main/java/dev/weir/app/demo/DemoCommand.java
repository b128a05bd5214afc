package dev.weir.app.demo;

import dev.weir.lab.check.CheckConfig;
import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.OutputFile;
import dev.weir.lab.cli.UserException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir demo}: the store checked, changed as the verdict says, and checked again. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Starts the store in its stock form on a real PostgreSQL, checks it under mixed traffic, makes the one change"
                    + " the verdict names, restarts, checks again, and shows before and after side by side.",
            "Takes under five minutes and stops everything it started."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int FEWEST_THREADS = 8;
    private static final int MOST_THREADS = 1_000;
    private static final int MOST_PRODUCTS = 10_000_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--keep",
            description = "Leave the store running afterwards, until Ctrl-C, and print its addresses.")
    private boolean keep;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Write both checks and the comparison as JSON; - for standard output, the text then goes to the error output.")
    private @Nullable Path json;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where reports and logs go. Default: ${DEFAULT-VALUE}.",
            defaultValue = "weir-demo")
    private Path folder = Path.of("weir-demo");

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Tomcat's threads before the change, 8 to 1000. Default: 200, or fewer where this machine has"
                    + " not the CPU for the rate that 200 carry.")
    private @Nullable Integer threads;

    @Option(
            names = "--products",
            paramLabel = "N",
            description = "Products in the catalog. Default: ${DEFAULT-VALUE}.",
            defaultValue = "100000")
    private int products = 100_000;

    @Option(
            names = "--time-budget",
            paramLabel = "SECONDS",
            description = "Longest search of each check. Default: ${DEFAULT-VALUE}.",
            defaultValue = "60")
    private int budgetSeconds = 60;

    /** Filled by picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        validate();
        PrintWriter out = command().commandLine().getOut();
        PrintWriter err = command().commandLine().getErr();
        Demo.Settings settings =
                new Demo.Settings(home(), folder, threads, products, Duration.ofSeconds(budgetSeconds), keep);
        try (OutputFile jsonFile = OutputFile.openOrStandardOutput(json, "--json", out)) {
            return new Demo(settings, jsonFile, jsonFile.isStandardOutput() ? err : out, new Progress(err)).run();
        }
    }

    private void validate() {
        require(
                threads == null || (threads >= FEWEST_THREADS && threads <= MOST_THREADS),
                "--threads is " + threads + "; it must be " + FEWEST_THREADS + " to " + MOST_THREADS);
        require(
                products >= 1_000 && products <= MOST_PRODUCTS,
                "--products is " + products + "; it must be 1000 to " + MOST_PRODUCTS);
        require(
                budgetSeconds >= 20 && budgetSeconds <= 600,
                "--time-budget is " + budgetSeconds + "; it must be 20 to 600 seconds ("
                        + CheckConfig.DEFAULT_BUDGET.toSeconds() + " is what weir check takes)");
        require(
                !Files.exists(folder) || Files.isDirectory(folder),
                "--folder is " + folder + ", which is a file; give a folder");
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(command().commandLine(), message);
        }
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    private static Path home() {
        String home = System.getProperty("weir.home");
        if (home == null) {
            throw new UserException(
                    ExitCode.ENVIRONMENT, "the demo needs the repository's build: start it as ./weir demo");
        }
        return Path.of(home);
    }
}
