package dev.weir.stack;

import picocli.CommandLine;

/** Entry point of the background process of {@code weir stack up --detach}. */
final class StackMain {
    private StackMain() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new StackCommand()).execute(arguments));
    }
}
