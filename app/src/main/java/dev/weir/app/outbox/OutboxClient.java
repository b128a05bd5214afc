package dev.weir.app.outbox;

import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.UserException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks {@code /actuator/weiroutbox} of a service; whatever is no answer ends the command with a sentence. */
final class OutboxClient {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private final URI actuator;
    private final Map<String, String> headers;

    OutboxClient(URI actuator, Map<String, String> headers) {
        this.actuator = actuator;
        this.headers = headers;
    }

    /** How all outboxes stand. */
    JsonNode overview() {
        return answer(request("").GET().build());
    }

    /** What one outbox has parked. */
    JsonNode parked(String outbox, int most) {
        return answer(request("/" + encoded(outbox) + "?most=" + most).GET().build());
    }

    /** Does something to parked events. */
    JsonNode act(String outbox, String body) {
        return answer(request("/" + encoded(outbox))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static String encoded(String outbox) {
        return URLEncoder.encode(outbox, StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(actuator + "/weiroutbox" + path))
                .timeout(PATIENCE);
        try {
            headers.forEach(request::header);
        } catch (IllegalArgumentException refused) {
            throw new UserException(ExitCode.USAGE, "--header: " + refused.getMessage(), refused);
        }
        return request;
    }

    private JsonNode answer(HttpRequest request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return json(client.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException unreachable) {
            String reason = unreachable.getMessage();
            throw new UserException(
                    ExitCode.UNREACHABLE,
                    actuator + " does not answer" + (reason == null ? "" : " (" + reason + ")")
                            + "; see that the service runs, and name its actuator with --url",
                    unreachable);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new UserException(ExitCode.INTERRUPTED, "interrupted before the service answered", ended);
        }
    }

    private JsonNode json(HttpResponse<String> answer) {
        JsonNode body;
        try {
            body = JsonMapper.shared().readTree(answer.body());
        } catch (JacksonException other) {
            body = JsonMapper.shared().createObjectNode();
        }
        if (answer.statusCode() == OK && body.isObject() && !body.isEmpty()) {
            return body;
        }
        JsonNode error = body.path("error");
        boolean ours = error.isString() && error.stringValue().endsWith(".");
        if (ours) {
            throw new UserException(
                    answer.statusCode() == BAD_REQUEST || answer.statusCode() == NOT_FOUND
                            ? ExitCode.USAGE
                            : ExitCode.UNREACHABLE,
                    error.stringValue());
        }
        throw new UserException(ExitCode.UNREACHABLE, refusal(answer.statusCode()));
    }

    private String refusal(int status) {
        return actuator + "/weiroutbox answers " + status + "; "
                + switch (status) {
                    case UNAUTHORIZED, FORBIDDEN -> "say who you are with --header";
                    case NOT_FOUND ->
                        "weir.outbox must be on, and management.endpoints.web.exposure.include must name weiroutbox";
                    case NOT_ALLOWED -> "management.endpoint.weiroutbox.access allows reading alone";
                    default -> "that is no answer of a service with weir.outbox";
                };
    }
}
