package dev.weir.lab.cli;

import dev.weir.lab.engine.Tls;
import dev.weir.lab.plan.BodyFile;
import dev.weir.lab.plan.Header;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is sent and how it is secured, the same for every command that puts load on a service. */
final class RequestOptions {
    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Request file (YAML): a weighted mix of requests.")
    private @Nullable Path file;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description = "Header of every request; may be given several times.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = {"-m", "--method"},
            paramLabel = "METHOD",
            description = "HTTP method. Default: GET, or POST with a body.")
    private @Nullable String method;

    @Option(
            names = {"-b", "--body"},
            paramLabel = "TEXT",
            description = "Body of the request, or @FILE for the content of a file.")
    private @Nullable String body;

    @Option(names = "--insecure", description = "Do not verify the service's certificate.")
    private boolean insecure;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            description = "Trust the certificates in this PEM file instead of the JDK's.")
    private @Nullable Path authorities;

    /**
     * What is to be sent.
     *
     * @param url null where none was given
     * @throws dev.weir.lab.plan.PlanException if URL, header, body or file are not usable
     */
    RequestPlan plan(@Nullable String url) {
        List<Header> parsed = headers();
        if (file != null) {
            return fromFile(file, url, parsed);
        }
        if (url == null) {
            throw new UserException(ExitCode.USAGE, "no URL: give one such as http://localhost:8080/path, or -f FILE");
        }
        byte[] content = content();
        String chosen = method != null ? method : content == null ? "GET" : "POST";
        return RequestPlan.single(Target.parse(url), chosen, parsed, content);
    }

    private RequestPlan fromFile(Path requests, @Nullable String url, List<Header> parsed) {
        if (method != null || body != null) {
            throw new UserException(
                    ExitCode.USAGE, "-m and -b do not go with -f: methods and bodies are those of the request file");
        }
        return RequestPlan.read(requests, url, parsed);
    }

    private byte @Nullable [] content() {
        if (body == null) {
            return null;
        }
        return body.startsWith("@") ? BodyFile.read(Path.of(body.substring(1))) : body.getBytes(StandardCharsets.UTF_8);
    }

    /** How connections to the target are secured; null for plain ones. */
    @Nullable
    Tls tls(Target target) {
        if (insecure && authorities != null) {
            throw new UserException(
                    ExitCode.USAGE, "--insecure and --cacert contradict each other: keep one of the two");
        }
        if (!target.tls()) {
            return null;
        }
        if (insecure) {
            return Tls.insecure(target.host());
        }
        return authorities == null
                ? Tls.verified(target.host())
                : Tls.trusting(target.host(), TrustStore.read(authorities));
    }

    /** Refuses authorities that nothing would be checked with. */
    void requireUseOfAuthorities(Target only) {
        if (authorities != null && !only.tls()) {
            throw new UserException(
                    ExitCode.USAGE,
                    "--cacert is for https, and " + only + " is not: write https:// or leave --cacert out");
        }
    }

    /** Whether the headers ask the service to close each connection after its response. */
    boolean closesConnections() {
        return headers().stream()
                .anyMatch(header -> header.name().equalsIgnoreCase("Connection")
                        && header.value().equalsIgnoreCase("close"));
    }

    private List<Header> headers() {
        return headers.stream().map(Header::parse).toList();
    }
}
