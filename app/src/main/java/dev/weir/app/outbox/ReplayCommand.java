package dev.weir.app.outbox;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir outbox replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Has parked events delivered again, behind what waits, with their old ids.")
final class ReplayCommand implements Callable<Integer> {

    @Mixin
    private ChosenEvents chosen = new ChosenEvents();

    @Override
    public Integer call() {
        return chosen.act("replay", "put behind what waits");
    }
}
