package dev.weir.lab.cli;

import dev.weir.lab.load.UnreachableException;
import dev.weir.lab.plan.PlanException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command {@code weir}: its subcommands parse and delegate. */
@Command(
        name = "weir",
        description = "Finds the rate at which a Java HTTP service stalls, names what stops it, and proves each step.",
        mixinStandardHelpOptions = true,
        version = "weir 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {CheckCommand.class, LoadCommand.class, CompareCommand.class, SizeCommand.class, HelpCommand.class
        })
public final class Weir {

    /**
     * The command line with the lab's commands, printing to the given writers. More commands can be added to it.
     *
     * @return a command line whose {@code execute} answers one of {@link ExitCode}
     */
    public static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new Weir())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                // Otherwise the body @FILE would be taken for a file of arguments.
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler(Weir::report)
                .setParameterExceptionHandler(Weir::reportUsage);
    }

    private static int report(Exception failure, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        int exitCode = switch (failure) {
            case UserException user -> user.exitCode();
            case PlanException _ -> ExitCode.USAGE;
            case UnreachableException _ -> ExitCode.UNREACHABLE;
            default -> throw failure;
        };
        command.getErr().println("weir: " + failure.getMessage());
        return exitCode;
    }

    private static int reportUsage(CommandLine.ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println("weir: " + failure.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr());
        command.getErr().println("Run '" + command.getCommandSpec().qualifiedName() + " --help' for what is allowed.");
        return ExitCode.USAGE;
    }

    private Weir() {}
}
