package dev.weir.lab.cli;

import dev.weir.lab.engine.Tls;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The one service under load, and what is sent to it. */
final class TargetOptions {
    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "The service, for example http://localhost:8080/path.")
    private @Nullable String url;

    @Mixin
    private RequestOptions requests = new RequestOptions();

    /**
     * What is to be sent.
     *
     * @throws dev.weir.lab.plan.PlanException if URL, header, body or file are not usable
     */
    RequestPlan plan() {
        return requests.plan(url);
    }

    /** How connections to the target are secured; null for plain ones. */
    @Nullable
    Tls tls(Target target) {
        requests.requireUseOfAuthorities(target);
        return requests.tls(target);
    }

    /** Whether the headers ask the service to close each connection after its response. */
    boolean closesConnections() {
        return requests.closesConnections();
    }
}
