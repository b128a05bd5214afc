package dev.weir.core.watch;

import io.lettuce.core.event.command.CommandFailedEvent;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.event.command.CommandSucceededEvent;
import java.util.Map;

/**
 * Tells the budget how long each command took its caller: from handing it to the client, on the caller's own thread, to its answer,
 * so that the time it waits in the client before it is sent counts. Must be added to a client before it connects.
 */
public final class RedisCommands implements CommandListener {

    private static final String CALL = "weir.watch";

    private record Call(Budget budget, long begunNanos) {}

    @Override
    public void commandStarted(CommandStartedEvent event) {
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            event.getContext().put(CALL, new Call(budget, budget.begin(Kind.REDIS)));
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        end(event.getContext(), event.getCommand().getType());
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        if (event.getContext().get(CALL) instanceof Call call) {
            call.budget().failed(Kind.REDIS, event.getCause());
        }
        end(event.getContext(), event.getCommand().getType());
    }

    private static void end(Map<String, Object> context, Object command) {
        if (context.get(CALL) instanceof Call call) {
            call.budget().end(Kind.REDIS, call.begunNanos(), command);
        }
    }
}
