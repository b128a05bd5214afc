package dev.weir.app;

import dev.weir.app.demo.DemoCommand;
import dev.weir.app.outbox.OutboxCommand;
import dev.weir.lab.cli.Weir;
import dev.weir.stack.StackCommand;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;

/** Where {@code ./weir} starts: the lab's commands, the stack, the demo and the outbox. */
public final class Main {

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(commandLine(writer(System.out), writer(System.err)).execute(arguments));
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return Weir.commandLine(out, err)
                .addSubcommand(new StackCommand())
                .addSubcommand(new DemoCommand())
                .addSubcommand(new OutboxCommand());
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, stream.charset()), true);
    }

    private Main() {}
}
