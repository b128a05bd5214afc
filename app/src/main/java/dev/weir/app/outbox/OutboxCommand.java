package dev.weir.app.outbox;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir outbox}: its subcommands parse, and ask the service. */
@Command(
        name = "outbox",
        mixinStandardHelpOptions = true,
        description = "Looks at the outboxes of a service with weir.outbox, and replays or discards what it set aside.",
        subcommands = {ListCommand.class, ReplayCommand.class, DiscardCommand.class})
public final class OutboxCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Filled by picocli. */
    public OutboxCommand() {
        spec = CommandSpec.create();
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "Say what to do: weir outbox list, weir outbox replay or weir outbox discard.");
    }
}
