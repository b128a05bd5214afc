package dev.weir.app.demo;

import dev.weir.lab.check.Check;
import dev.weir.lab.check.CheckConfig;
import dev.weir.lab.check.CheckFailedException;
import dev.weir.lab.check.CheckListener;
import dev.weir.lab.check.CheckOutcome;
import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckText;
import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.OutputFile;
import dev.weir.lab.cli.UserException;
import dev.weir.lab.compare.ServiceProcess;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.report.CheckReport;
import dev.weir.lab.report.Comparison;
import dev.weir.lab.report.ComparisonPage;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The demo from start to end: servers, store, check, the change its verdict names, restart, check, comparison. All it
 * starts ends with it, also when it fails.
 */
final class Demo {
    /** How long the provider takes to answer a charge. */
    private static final Duration PROVIDER_LATENCY = Duration.ofMillis(20);

    private static final Duration WARM_UP = Duration.ofSeconds(25);
    private static final Pattern PROPERTY = Pattern.compile("[a-z][a-z0-9-]*(\\.[a-z0-9-]+)+");
    private static final String THREADS = "server.tomcat.threads.max";
    private static final int STOCK_THREADS = 200;
    /** Where the machine's CPU ends before 200 threads do, the same ceiling shows at a quarter. */
    private static final int FEWER_THREADS = 50;

    private final Settings settings;
    private final OutputFile json;
    private final PrintWriter out;
    private final Progress progress;
    private final StoreLauncher launcher;

    /**
     * What a demo is to do.
     *
     * @param home the repository's root
     * @param folder where reports and logs go
     * @param threads Tomcat's threads before the change; null to choose by what the machine carries
     * @param budget longest search of each check
     * @param keep whether the store stays up until the user ends it
     */
    record Settings(Path home, Path folder, @Nullable Integer threads, int products, Duration budget, boolean keep) {}

    /**
     * Makes the folder.
     *
     * @param json where both checks go as JSON
     * @param out where they go as text
     */
    Demo(Settings settings, OutputFile json, PrintWriter out, Progress progress) {
        this.settings = settings;
        this.json = json;
        this.out = out;
        this.progress = progress;
        makeFolder(settings.folder());
        this.launcher = new StoreLauncher(settings.home(), settings.folder());
    }

    /** Runs it and answers an exit code. Blocks for some minutes. */
    int run() throws InterruptedException {
        progress.says("starting PostgreSQL with one standby, and Redis");
        try (Stack stack = Stack.start(StackConfig.defaults(), progress::says);
                ServiceProcess provider = launcher.startProvider(PROVIDER_LATENCY)) {
            progress.says("PostgreSQL at " + stack.postgres().jdbcUrl() + ", payment provider at "
                    + launcher.providerUrl() + " (process " + provider.pid() + ")");
            return new Run(stack).go();
        } catch (StackException e) {
            throw new UserException(ExitCode.ENVIRONMENT, String.valueOf(e.getMessage()), e);
        } catch (CheckFailedException e) {
            throw new UserException(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
    }

    /** A run on servers that are up. */
    private final class Run {
        private final Stack stack;
        private final Map<String, String> properties = new TreeMap<>();

        Run(Stack stack) {
            this.stack = stack;
            properties.put("store.seed.products", Integer.toString(settings.products()));
        }

        int go() throws InterruptedException {
            useThreads(settings.threads() == null ? STOCK_THREADS : settings.threads());
            CheckResult before = checked("before");
            if (settings.threads() == null && before.verdict().cause() != Cause.WORKER_THREADS) {
                useThreads(FEWER_THREADS);
                progress.says("this machine, as busy as it is now, has not the CPU for the rate that " + STOCK_THREADS
                        + " threads carry; the same with " + FEWER_THREADS);
                before = checked("before");
            }
            Change change = before.verdict().change();
            if (change == null || !PROPERTY.matcher(change.setting()).matches()) {
                progress.says("the verdict names no property to change, so there is no second check");
                writeJson(before, null);
            } else {
                progress.says("the change: " + change.inWords());
                properties.put(change.setting(), change.to());
                compare(before, checked("after"), change);
            }
            return settings.keep() ? keep(start("kept")) : ExitCode.OK;
        }

        private void useThreads(int threads) {
            if (threads != STOCK_THREADS) {
                properties.put(THREADS, Integer.toString(threads));
            }
        }

        private CheckResult checked(String name) throws InterruptedException {
            try (ServiceProcess store = start(name)) {
                progress.says("the store is ready at " + launcher.storeUrl() + " (process " + store.pid() + "); check");
                CheckOutcome outcome = check();
                out.println();
                out.println("== " + name + " ==");
                CheckText.write(out, outcome);
                out.println();
                out.flush();
                write(settings.folder().resolve(name + ".html"), CheckReport.render(outcome.result()));
                return outcome.result();
            }
        }

        private ServiceProcess start(String name) throws InterruptedException {
            progress.says("starting the store" + (properties.isEmpty() ? "" : " with " + properties));
            return launcher.startStore(stack.postgres(), "store-" + name + ".log", properties);
        }
    }

    private CheckOutcome check() throws InterruptedException {
        RequestPlan plan = RequestPlan.read(
                settings.home().resolve("store/load/mix.yaml"),
                launcher.storeUrl().toString(),
                List.of());
        URI url = launcher.storeUrl();
        CheckConfig config = CheckConfig.of(plan, new InetSocketAddress(url.getHost(), url.getPort()), 1)
                .within(settings.budget(), WARM_UP, CheckConfig.DEFAULT_TIMEOUT);
        return new Check(config, new ToProgress()).run();
    }

    private void compare(CheckResult before, CheckResult after, Change change) {
        Comparison comparison = new Comparison(before, after, change.inWords());
        Path page = settings.folder().resolve("comparison.html");
        write(page, ComparisonPage.render(comparison));
        SideBySide.write(out, comparison);
        out.println();
        out.println("Reports: " + settings.folder().resolve("before.html") + ", "
                + settings.folder().resolve("after.html") + ", " + page);
        out.flush();
        writeJson(before, comparison);
        progress.says("done");
    }

    private void writeJson(CheckResult before, @Nullable Comparison comparison) {
        json.write(() -> DemoJson.text(before, comparison));
    }

    private static void write(Path file, String page) {
        try (OutputFile output = OutputFile.open(file, "--folder: the report")) {
            output.write(() -> page);
        }
    }

    private int keep(ServiceProcess store) throws InterruptedException {
        try (store) {
            out.println("The store runs at " + launcher.storeUrl() + " (process " + store.pid()
                    + "), its payment provider at " + launcher.providerUrl() + ". End both with Ctrl-C.");
            out.flush();
            new CountDownLatch(1).await();
            return ExitCode.OK;
        }
    }

    private static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserException(
                    ExitCode.ENVIRONMENT, "the folder " + folder + " cannot be made: " + e + "; see --folder", e);
        }
    }

    private final class ToProgress implements CheckListener {
        @Override
        public void says(String line) {
            progress.says("  " + line);
        }

        @Override
        public void second(SecondSample second) {}
    }
}
