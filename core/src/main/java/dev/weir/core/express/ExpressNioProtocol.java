package dev.weir.core.express;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP/1.1 connector with the port lane. Without {@link #serve} it is Tomcat's own in every respect. Make a
 * connector of it by its class name or an instance, and give it the lane before the connector starts.
 */
public final class ExpressNioProtocol extends Http11NioProtocol {

    private final LaneEndpoint endpoint;
    private @Nullable PortLane lane;
    private @Nullable Connector connector;

    public ExpressNioProtocol() {
        this(new LaneEndpoint());
    }

    private ExpressNioProtocol(LaneEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    /** Serves the lane's routes from the next start on, where the connector's server turns out to fit. */
    public void serve(PortLane lane, Connector connector) {
        this.lane = lane;
        this.connector = connector;
    }

    @Override
    public void start() throws Exception {
        if (lane == null || connector == null) {
            super.start();
            return;
        }
        LaneFitness fitness = LaneFitness.of(this, connector, lane.settings().accessLog());
        if (fitness.server() != null) {
            endpoint.serve(lane, fitness.server());
        }
        super.start();
        if (fitness.server() != null) {
            lane.started();
        } else {
            lane.unfit(fitness.reason());
        }
    }
}
