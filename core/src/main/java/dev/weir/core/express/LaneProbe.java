package dev.weir.core.express;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/** A trial of the lane on a loopback port of its own: does it answer what it should, and leave alone what it should? */
final class LaneProbe {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final String HOT = "GET /probe HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String STRANGE = "GET /probe HTTP/1.1\r\nHost: h\r\nX-Strange: 1\r\n\r\n";

    private LaneProbe() {}

    /** Null where all went well, else what did not. Takes a few tens of milliseconds, at most some seconds. */
    static @Nullable String problem() {
        CaffeineHotEntries<String, String> entries = new CaffeineHotEntries<>(1, Duration.ofMinutes(1), key -> "lane");
        ExpressRoute<String, String> route = ExpressRoute.<String, String>of("/probe", key -> key, entries)
                .produces("text/plain", text -> text.getBytes(StandardCharsets.US_ASCII))
                .build();
        ExpressNioProtocol protocol = new ExpressNioProtocol();
        try {
            HotEntry<String> entry = route.entry("");
            if (entry == null) {
                return "the trial's own value is missing";
            }
            route.form(entry, 0, false);
            start(protocol, route);
            try {
                return exchanged(protocol);
            } finally {
                protocol.stop();
                protocol.destroy();
            }
        } catch (Exception failed) {
            return failed.toString();
        }
    }

    private static void start(ExpressNioProtocol protocol, ExpressRoute<?, ?> route) throws Exception {
        protocol.setAdapter(new Slow());
        protocol.setPort(0);
        protocol.setAddress(InetAddress.getLoopbackAddress());
        PortLaneSettings settings = new PortLaneSettings(1, List.of(), 4096, false, Duration.ZERO);
        PortLane lane = new PortLane(new ExpressRoutes(List.of(route)), settings, Admission.open());
        protocol.serveUnchecked(lane);
        protocol.init();
        protocol.start();
    }

    private static @Nullable String exchanged(ExpressNioProtocol protocol) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), protocol.getLocalPort())) {
            client.setSoTimeout(TIMEOUT_MILLIS);
            client.setTcpNoDelay(true);
            if (!told(client, HOT).endsWith("\r\n\r\nlane")) {
                return "a plain request was not answered by the poller";
            }
            if (!told(client, STRANGE).endsWith("\r\n\r\nslow")) {
                return "a request with an unknown header did not go the normal way";
            }
            client.getOutputStream().write(HOT.substring(0, 9).getBytes(StandardCharsets.US_ASCII));
            String rest = told(client, HOT.substring(9));
            if (!rest.endsWith("\r\n\r\nlane") && !rest.endsWith("\r\n\r\nslow")) {
                return "a request in two pieces was not answered";
            }
        }
        return null;
    }

    /** The answer, whose body has four bytes in either case. */
    private static String told(Socket client, String request) throws IOException {
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder answer = new StringBuilder();
        int end = Integer.MAX_VALUE;
        while (answer.length() < end) {
            int b = client.getInputStream().read();
            if (b < 0) {
                return answer.toString();
            }
            answer.append((char) b);
            if (end == Integer.MAX_VALUE && answer.toString().endsWith("\r\n\r\n")) {
                end = answer.length() + 4;
            }
        }
        return answer.toString();
    }

    /** Stands for the application. */
    private static final class Slow implements Adapter {

        @Override
        public void service(Request request, Response response) throws Exception {
            response.setContentLength(4);
            response.doWrite(ByteBuffer.wrap("slow".getBytes(StandardCharsets.US_ASCII)));
            response.action(ActionCode.CLOSE, null);
        }

        @Override
        public boolean prepare(Request request, Response response) {
            return true;
        }

        @Override
        public boolean asyncDispatch(Request request, Response response, SocketEvent status) {
            return false;
        }

        @Override
        public void log(Request request, Response response, long time) {}

        @Override
        public void checkRecycled(Request request, Response response) {}

        @Override
        public @Nullable String getDomain() {
            return null;
        }
    }
}
