package dev.weir.app.outbox;

import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.UserException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Which parked events an action concerns, to be mixed into its command. */
@Command
final class ChosenEvents {

    @Parameters(index = "0", paramLabel = "NAME", description = "An outbox, such as events or deferred.")
    private String outbox = "";

    @Parameters(
            index = "1..*",
            paramLabel = "ID",
            description = "Ids of parked events, as weir outbox list prints them.")
    private List<String> ids = List.of();

    @Option(names = "--all", description = "All parked events, in place of ids; 10,000 at once.")
    private boolean all;

    @Mixin
    private ServiceOption service = new ServiceOption();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** Has the service do it, and prints how many events it concerned. */
    int act(String action, String done) {
        if (all != ids.isEmpty()) {
            throw new UserException(ExitCode.USAGE, "say which events: their ids, or --all, not both");
        }
        ObjectNode body = JsonMapper.shared().createObjectNode().put("action", action);
        if (all) {
            body.put("all", true);
        } else {
            body.put("ids", String.join(",", ids));
        }
        JsonNode answer = service.client().act(outbox, body.toString());
        spec.commandLine()
                .getOut()
                .printf(
                        "%s %s, %d still parked.%n",
                        ListCommand.counted(answer.path("events").asLong()),
                        done,
                        answer.path("left").asLong());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
