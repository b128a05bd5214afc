package dev.weir.core.express;

import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.AccessLog;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Host;
import org.apache.catalina.Valve;
import org.apache.catalina.authenticator.NonLoginAuthenticator;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.catalina.valves.RemoteIpValve;
import org.jspecify.annotations.Nullable;

/**
 * Whether the port lane may answer for a server: only where nothing that Tomcat would run between the socket and the
 * servlets could have had a say.
 *
 * @param server what the lane must know, null where it does not fit
 * @param reason why it does not fit, part of a sentence; empty where it does
 */
record LaneFitness(@Nullable LaneServer server, String reason) {

    static LaneFitness of(ExpressNioProtocol protocol, Connector connector, boolean accessLogWanted) {
        if (protocol.isSSLEnabled()) {
            return unfit("the connector speaks TLS");
        }
        if (protocol.getMaxKeepAliveRequests() == 1) {
            return unfit("server.tomcat.max-keep-alive-requests is 1, so every connection ends after its first answer");
        }
        if (protocol.getRestrictedUserAgents() != null) {
            return unfit("the connector treats some user agents differently (restrictedUserAgents)");
        }
        Engine engine = connector.getService().getContainer();
        Container[] hosts = engine.findChildren();
        Container[] contexts = hosts.length == 1 ? hosts[0].findChildren() : new Container[0];
        if (contexts.length != 1) {
            return unfit("the server has " + hosts.length + " hosts with " + contexts.length
                    + " applications in the first; the lane knows one host with one application");
        }
        return of(protocol, engine, (Host) hosts[0], (Context) contexts[0], accessLogWanted);
    }

    private static LaneFitness of(
            ExpressNioProtocol protocol, Engine engine, Host host, Context context, boolean accessLogWanted) {
        if (context.findConstraints().length > 0) {
            return unfit("the application has security constraints of the servlet container");
        }
        List<Valve> valves = new ArrayList<>();
        for (Container container : List.of(engine, host, context)) {
            for (Valve valve : container.getPipeline().getValves()) {
                if (!valve.equals(container.getPipeline().getBasic())) {
                    valves.add(valve);
                }
            }
        }
        for (Valve valve : valves) {
            if (!isHarmless(valve)) {
                return unfit("the valve " + valve.getClass().getName() + " must see every request");
            }
        }
        boolean accessLog = accessLogWanted
                && List.of(engine, host, context).stream().anyMatch(container -> container.getAccessLog() != null);
        boolean forwardedMatters = accessLog && valves.stream().anyMatch(RemoteIpValve.class::isInstance);
        return fit(new LaneServer(protocol, context.getPath(), !forwardedMatters, accessLog));
    }

    // An error page needs an error, which no express answer is; what RemoteIpValve finds out shows in the access log
    // alone.
    private static boolean isHarmless(Valve valve) {
        return valve instanceof AccessLog
                || valve instanceof ErrorReportValve
                || valve instanceof RemoteIpValve
                || valve instanceof NonLoginAuthenticator;
    }

    static LaneFitness fit(LaneServer server) {
        return new LaneFitness(server, "");
    }

    private static LaneFitness unfit(String reason) {
        return new LaneFitness(null, reason);
    }
}
