package dev.weir.lab.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What one command run in this process answered.
 *
 * @param out its standard output
 * @param err its error output
 */
record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode =
                Weir.commandLine(new PrintWriter(out), new PrintWriter(err)).execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
