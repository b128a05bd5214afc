package dev.weir.lab.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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

    private CommandLine commandLine() {
        if (command == null) {
            throw new IllegalStateException("not started by a command line");
        }
        return command.commandLine();
    }
}
