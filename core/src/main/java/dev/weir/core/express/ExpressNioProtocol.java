package dev.weir.core.express;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;

/**
 * Tomcat's HTTP/1.1 connector with the port lane. Without {@link #serve} it is Tomcat's own in every respect. Make a
 * connector of it by its class name or an instance, and give it the lane before the connector starts.
 */
public final class ExpressNioProtocol extends Http11NioProtocol {

    private final LaneEndpoint endpoint;

    public ExpressNioProtocol() {
        this(new LaneEndpoint());
    }

    private ExpressNioProtocol(LaneEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    /** Serves the lane's routes from the next start on, where the connector's server turns out to fit. */
    public void serve(PortLane lane, Connector connector) {
        boolean accessLog = lane.settings().accessLog();
        endpoint.serve(lane, () -> LaneFitness.of(this, connector, accessLog));
    }

    /** Connections with an answer that is not yet taken whole. */
    int unfinished() {
        return endpoint.unfinished();
    }

    /** Serves the lane's routes for a trial, without a connector that could be looked at. */
    void serveUnchecked(PortLane trial) {
        endpoint.serve(trial, () -> LaneFitness.fit(new LaneServer(this, "", true, false)));
    }
}
