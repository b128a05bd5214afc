package dev.weir.app.outbox;

import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.UserException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code weir outbox list}: how the outboxes stand, or what one of them has parked. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Prints how the outboxes stand; with a NAME the events that it set aside, with the reason.")
final class ListCommand implements Callable<Integer> {
    private static final int MOST = 10_000;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "An outbox, such as events or deferred.")
    private @Nullable String outbox;

    @Mixin
    private ServiceOption service = new ServiceOption();

    @Option(
            names = "--most",
            paramLabel = "COUNT",
            defaultValue = "100",
            description = "How many parked events to print, 1 to 10000. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Option(names = "--json", description = "Print the service's answer as it is.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (most < 1 || most > MOST) {
            throw new UserException(ExitCode.USAGE, "--most is " + most + "; it must be 1 to " + MOST);
        }
        OutboxClient client = service.client();
        JsonNode answer = outbox == null ? client.overview() : client.parked(outbox, most);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer.toPrettyString());
        } else if (outbox == null) {
            answer.path("outboxes").properties().forEach(one -> printOutbox(out, one));
        } else {
            answer.path("parked").forEach(event -> printEvent(out, event));
            out.printf(
                    "%d of %s parked.%n",
                    answer.path("parked").size(), counted(answer.path("count").asLong()));
        }
        out.flush();
        return ExitCode.OK;
    }

    private static void printOutbox(PrintWriter out, Map.Entry<String, JsonNode> one) {
        JsonNode state = one.getValue();
        if (!state.path("waiting").isNumber()) {
            out.printf("%-10s the database does not answer the service%n", one.getKey());
            return;
        }
        out.printf(
                "%-10s %d waiting (the oldest for %s), %d parked, %d delivered by this instance%n",
                one.getKey(),
                state.path("waiting").asLong(),
                age(Duration.ofMillis(state.path("oldestAgeMillis").asLong())),
                state.path("parked").asLong(),
                state.path("relay").path("delivered").asLong());
    }

    private static String age(Duration age) {
        return age.toSeconds() == 0 ? age.toMillis() + " ms" : age.toSeconds() + " s";
    }

    /** With its noun. */
    static String counted(long events) {
        return events == 1 ? "1 event" : events + " events";
    }

    private static void printEvent(PrintWriter out, JsonNode event) {
        JsonNode key = event.path("key");
        out.printf(
                "%s  %s  %s%s  %d bytes, %d attempts: %s%n",
                event.path("id").asString(),
                event.path("parkedAt").asString(),
                line(event.path("topic").asString()),
                key.isString() ? "/" + line(key.stringValue()) : "",
                event.path("bytes").asInt(),
                event.path("attempts").asInt(),
                line(event.path("reason").asString()));
    }

    /** In one line, and without what a terminal would obey: keys and reasons may hold whatever a client sent. */
    private static String line(String text) {
        return text.replaceAll("\\p{Cc}+", " ");
    }
}
