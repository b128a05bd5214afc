package dev.weir.stack;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code weir stack}: real servers on this machine. Prints to the writers of its {@link picocli.CommandLine}: results to the
 * standard one, progress and errors to the error one.
 */
@Command(
        name = "stack",
        mixinStandardHelpOptions = true,
        description = "Real PostgreSQL, Redis and Kafka servers on this machine, without containers.",
        subcommands = {UpCommand.class, StatusCommand.class, DownCommand.class})
public final class StackCommand implements Callable<Integer> {
    /** The command did what it was asked. */
    public static final int OK = 0;

    /** The servers could not be started or stopped, or one of them ended by itself. */
    public static final int FAILED = 1;

    /** A wrong option or value, as one that PostgreSQL refuses. */
    public static final int USAGE = 2;

    /** {@code up}: this machine lacks what a start needs, such as a free port or disk space. */
    public static final int MACHINE_LACKS = 4;

    /** {@code status}: nothing runs. */
    public static final int NOTHING_RUNS = 3;

    /** {@code up} was interrupted, as a shell reports SIGINT. */
    public static final int INTERRUPTED = 130;

    @Spec
    private CommandSpec spec;

    /** Filled by picocli. */
    public StackCommand() {
        spec = CommandSpec.create();
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "Say what to do: weir stack up, weir stack status or weir stack down.");
    }
}
