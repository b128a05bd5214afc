package dev.weir.stack;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir stack status}: what runs, and where. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Print what runs, with addresses; the exit code is 3 when nothing runs.")
final class StatusCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Mixin
    private CacheOption cache = new CacheOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try {
            Runs runs = new Runs(cache.cache(), InstantSource.system());
            List<RunFile> running = runs.running();
            print(running, runs.leftovers());
            return running.isEmpty() ? StackCommand.NOTHING_RUNS : StackCommand.OK;
        } catch (StackException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return StackCommand.FAILED;
        }
    }

    private void print(List<RunFile> running, List<RunFile> leftovers) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(running.stream()
                    .map(run -> StackReport.json(run, cache.cache()))
                    .collect(Collectors.joining(",", "{\"runs\":[", "]}")));
        } else {
            out.print(running.isEmpty() ? "No stack is running.\n" : "");
            running.forEach(run -> out.print(StackReport.text(run)));
            leftovers.forEach(run -> out.println(
                    "%s was not stopped properly; the next start, or weir stack down, clears it.".formatted(run.id())));
        }
        out.flush();
    }
}
