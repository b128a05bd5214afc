package dev.weir.stack;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code weir stack down}: stops what {@code weir stack up} started, and clears what dead runs left. Runs that a Java program
 * holds (tests, the demo) are left alone: they end with it.
 */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Stop the stack that weir stack up started, and clear what dead ones left behind.")
final class DownCommand implements Callable<Integer> {
    private static final Duration STOP_TIME = Duration.ofSeconds(30);

    @Option(names = "--run", paramLabel = "ID", description = "The run to stop, as printed by weir stack status.")
    private @Nullable String id;

    @Option(names = "--all", description = "Stop all runs of weir stack up.")
    private boolean all;

    @Mixin
    private CacheOption cache = new CacheOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try {
            Runs runs = new Runs(cache.cache(), InstantSource.system());
            List<RunFile> chosen = choose(runs.running());
            chosen.forEach(run -> stop(runs, run));
            runs.clearLeftovers(this::say);
            if (chosen.isEmpty()) {
                say("No stack is running.");
            }
            return StackCommand.OK;
        } catch (StackException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return StackCommand.FAILED;
        }
    }

    private List<RunFile> choose(List<RunFile> running) {
        List<RunFile> ours = running.stream()
                .filter(run -> run.origin() == RunFile.Origin.COMMAND)
                .toList();
        if (id != null) {
            return List.of(find(id, running));
        }
        if (ours.size() > 1 && !all) {
            throw new StackException("%d stacks are running (%s): name one with --run ID, or stop all with --all."
                    .formatted(
                            ours.size(),
                            String.join(", ", ours.stream().map(RunFile::id).toList())));
        }
        return ours;
    }

    private static RunFile find(String wanted, List<RunFile> running) {
        RunFile run = running.stream()
                .filter(candidate -> candidate.id().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new StackException(
                        "No run %s is running: weir stack status prints those that are.".formatted(wanted)));
        if (run.origin() != RunFile.Origin.COMMAND) {
            throw new StackException("The run %s belongs to the Java program with process number %d and ends with it."
                    .formatted(wanted, run.owner().pid()));
        }
        return run;
    }

    private void stop(Runs runs, RunFile run) {
        run.owner().alive().ifPresent(owner -> {
            owner.destroy();
            Runs.awaitEnd(owner, STOP_TIME);
        });
        runs.clear(run);
        say("Stopped %s.".formatted(run.id()));
    }

    private void say(String sentence) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(sentence);
        out.flush();
    }
}
