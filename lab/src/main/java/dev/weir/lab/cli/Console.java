package dev.weir.lab.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** The writers of the command line that a command was started by, to be mixed into it. */
@Command
final class Console {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    PrintWriter out() {
        return commandLine().getOut();
    }

    PrintWriter err() {
        return commandLine().getErr();
    }

    /** Tells of each time that was given as a bare number that it was read as seconds: milliseconds may have been meant. */
    void sayHowTimesWithoutUnitWereRead() {
        for (OptionSpec option : commandLine().getParseResult().matchedOptions()) {
            if (option.converters().length == 1 && option.converters()[0] instanceof Amount.Time) {
                option.originalStringValues().stream()
                        .filter(value -> value.strip().matches("[0-9.]+"))
                        .forEach(value -> err().println("weir: " + option.longestName() + " " + value + " was read as "
                                + value + " seconds; write " + value + "ms for milliseconds"));
            }
        }
    }

    private CommandLine commandLine() {
        if (command == null) {
            throw new IllegalStateException("not started by a command line");
        }
        return command.commandLine();
    }
}
