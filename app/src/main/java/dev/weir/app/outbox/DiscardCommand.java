package dev.weir.app.outbox;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir outbox discard}. */
@Command(
        name = "discard",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Deletes parked events for good.")
final class DiscardCommand implements Callable<Integer> {

    @Mixin
    private ChosenEvents chosen = new ChosenEvents();

    @Override
    public Integer call() {
        return chosen.act("discard", "deleted");
    }
}
