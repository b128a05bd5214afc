package dev.weir.lab.cli;

import dev.weir.lab.load.UnreachableException;
import dev.weir.lab.plan.PlanException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.UnmatchedArgumentException;

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
    private static final Pattern ONE_OF =
            Pattern.compile("expected one of \\[([^]]*)] \\(case-insensitive\\) but was '([^']*)'");

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
        command.getErr().println("weir: " + message(failure, command));
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr());
        command.getErr().println("Run '" + command.getCommandSpec().qualifiedName() + " --help' for what is allowed.");
        return ExitCode.USAGE;
    }

    private static String message(CommandLine.ParameterException failure, CommandLine command) {
        return failure instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()
                ? tooMany(unmatched.getUnmatched(), command)
                : inPlainWords(String.valueOf(failure.getMessage()));
    }

    /** The parser's own sentences, without the names of Java's types and constants. */
    private static String inPlainWords(String sentence) {
        Matcher oneOf = ONE_OF.matcher(sentence);
        return oneOf.replaceAll(found -> Matcher.quoteReplacement(
                        "'" + found.group(2) + "' is none of " + found.group(1).toLowerCase(Locale.ROOT)))
                .replace("option option", "option")
                .replaceAll("is not an? (int|long)$", "is not a whole number")
                .replaceAll("is not a double$", "is not a number");
    }

    private static String tooMany(List<String> unmatched, CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        String given = unmatched.stream().map(word -> "'" + word + "'").collect(Collectors.joining(", "));
        if (!command.getSubcommands().isEmpty()) {
            return given + (unmatched.size() == 1 ? " is no command of " : " are no commands of ") + name
                    + ", which has "
                    + String.join(", ", command.getSubcommands().keySet());
        }
        List<PositionalParamSpec> allowed = command.getCommandSpec().positionalParameters();
        return given + (unmatched.size() == 1 ? " is" : " are") + " more than " + name + " takes: "
                + (allowed.isEmpty()
                        ? "only options"
                        : "only "
                                + allowed.stream()
                                        .map(PositionalParamSpec::paramLabel)
                                        .collect(Collectors.joining(" and "))
                                + " beside options");
    }

    private Weir() {}
}
