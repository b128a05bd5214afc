package dev.weir.starter.express;

import dev.weir.core.express.ExpressNioProtocol;
import dev.weir.core.express.PortLane;
import dev.weir.core.express.TomcatShape;
import dev.weir.starter.express.ExpressProperties.PortLaneMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/** Puts the port lane on Tomcat's own port where it may be there; says why where it may not. Last, so as to see the rest. */
final class PortLaneCustomizer implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

    private static final Logger log = LoggerFactory.getLogger(PortLaneCustomizer.class);

    private final PortLane lane;
    private final PortLaneMode mode;

    PortLaneCustomizer(PortLane lane, PortLaneMode mode) {
        this.lane = lane;
        this.mode = mode;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        if (mode == PortLaneMode.OFF) {
            lane.keptOff("weir.express.port-lane is off");
            return;
        }
        if (!factory.getProtocol().equals(TomcatWebServerFactory.DEFAULT_PROTOCOL)) {
            keepOff("the application sets the connector's protocol to " + factory.getProtocol());
            return;
        }
        String mismatch = TomcatShape.mismatch(getClass().getClassLoader());
        if (mismatch != null) {
            keepOff(mismatch);
            return;
        }
        factory.setProtocol(ExpressNioProtocol.class.getName());
        factory.addConnectorCustomizers(connector -> {
            if (connector.getProtocolHandler() instanceof ExpressNioProtocol protocol) {
                protocol.serve(lane, connector);
            }
        });
    }

    private void keepOff(String reason) {
        lane.keptOff(reason);
        log.warn("Express: the port lane is off, the filter lane answers instead: {}.", reason);
    }
}
