package dev.weir.core.express;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.coyote.Adapter;
import org.apache.tomcat.util.http.FastHttpDateFormat;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/**
 * Answers hot requests in one poller's thread.
 *
 * <p>When Tomcat's poller finds a connection readable it takes the key's interest away, hands the connection to a worker,
 * and the worker brings the interest back: two epoll_ctl, a futex, a wake-up, some 14 µs. Here the poller looks first. A
 * connection is idle between requests when it has no processor attached and nobody holds its lock: a worker holds the
 * lock from before it takes the processor off until after it put it back, so both tests together cannot mistake a
 * connection that is being served. Then the poller reads without blocking into the connection's own buffer. If what
 * arrived is one plain request for a form that is ready, it is answered and consumed, and the key's interest never
 * changes. If not, the bytes stay in that buffer, which is where Tomcat's parser looks before it reads from the socket:
 * the request goes the normal way as if the lane did not exist. Where it is a route's, only to be answered by the filter, the
 * connection is lent to the worker: the hand-over is Tomcat's, but the interest stays (see {@link LaneConnection}).
 *
 * <p>Nothing here waits. An answer that the socket does not take whole goes into Tomcat's write buffers; the connection's
 * interest turns from reading to writing, so that a next request cannot overtake, and the rest is sent as the socket
 * takes it. Tomcat's own write timeout ends a client that takes nothing.
 *
 * <p>While the connector is paused, which is how a stop begins, a ready answer says that it is the connection's last and the
 * connection is closed behind it. Tomcat closes such a connection without an answer.
 */
final class PollerLane {

    private static final KnownValues ACCEPT_ENCODING = KnownValues.ofAcceptEncoding();
    private static final int ROOM_FOR_HEAD = 4096;

    private final NioEndpoint endpoint;
    private final PortLane lane;
    private final LaneServer server;
    private final LaneRequest request;
    private final ByteBuffer out;
    private final @Nullable AccessLine accessLine;
    private byte[] copied = new byte[0];
    /** Whether the path of the request at hand is a route's. */
    private boolean ofRoute;

    private String date = "";
    private byte[] dateBytes = new byte[0];

    PollerLane(NioEndpoint endpoint, PortLane lane, LaneServer server) {
        this.endpoint = endpoint;
        this.lane = lane;
        this.server = server;
        LaneHeaders headers = new LaneHeaders(lane.settings().harmlessHeaders(), server.forwardedIsHarmless);
        request = new LaneRequest(headers, server.maxHeaders);
        out = ByteBuffer.allocateDirect(lane.settings().largestAnswerBytes() + ROOM_FOR_HEAD);
        Adapter accessLog = server.accessLog;
        accessLine = accessLog == null ? null : new AccessLine(accessLog);
    }

    /** Whether the event is dealt with; otherwise it is Tomcat's, untouched. Called by the poller's thread. */
    boolean takes(SelectionKey key, LaneConnection connection) {
        int ready;
        try {
            ready = key.readyOps();
        } catch (CancelledKeyException gone) {
            return false;
        }
        if (ready == SelectionKey.OP_READ) {
            return endpoint.isRunning() && takesIdle(key, connection);
        }
        return ready == SelectionKey.OP_WRITE && connection.isUnfinished() && continues(key, connection);
    }

    private boolean takesIdle(SelectionKey key, LaneConnection connection) {
        ofRoute = false;
        boolean answered = answersIdle(key, connection);
        if (answered || !ofRoute || endpoint.isPaused()) {
            return answered;
        }
        // After the lock is free, since the worker begins with it.
        connection.lend();
        if (!endpoint.processSocket(connection, SocketEvent.OPEN_READ, true)) {
            connection.close();
        }
        return true;
    }

    private boolean answersIdle(SelectionKey key, LaneConnection connection) {
        ReentrantLock lock = connection.getLock();
        if (connection.getCurrentProcessor() != null || !lock.tryLock()) {
            return false;
        }
        try {
            return connection.getCurrentProcessor() == null
                    && connection.getSendfileData() == null
                    && answersBytes(key, connection);
        } catch (IOException broken) {
            connection.close();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean answersBytes(SelectionKey key, LaneConnection connection) throws IOException {
        SocketBufferHandler buffers = connection.getSocketBufferHandler();
        if (!buffers.isReadBufferEmpty()) {
            return false;
        }
        long start = lane.clock().nanoTime();
        buffers.configureReadBufferForWrite();
        ByteBuffer in = buffers.getReadBuffer();
        int read = connection.getSocket().read(in);
        // Tomcat's reads from its buffer do not count as life, and the poller closes what has shown none for a while.
        connection.updateLastRead();
        if (read < 0) {
            // Closed between requests: a worker would do nothing else.
            connection.close();
            return true;
        }
        if (read == 0) {
            return false;
        }
        PassedOn reason = answer(key, connection, in, read, start);
        if (reason != null) {
            lane.count(reason);
        }
        return reason == null;
    }

    private @Nullable PassedOn answer(SelectionKey key, LaneConnection connection, ByteBuffer in, int read, long start)
            throws IOException {
        if (read >= server.maxRequestBytes) {
            return PassedOn.INCOMPLETE;
        }
        byte[] bytes = in.hasArray() && in.arrayOffset() == 0 ? in.array() : copy(in, read);
        PassedOn strange = request.recognise(bytes, read);
        if (strange != null && strange != PassedOn.HEADER) {
            return strange;
        }
        int from = request.pathFrom + server.contextPath.length;
        if (from > request.pathTo || !Bytes.equal(server.contextPath, bytes, request.pathFrom, from)) {
            return strange == null ? PassedOn.NO_ROUTE : strange;
        }
        ExpressRoutes routes = lane.routes();
        for (int i = 0; i < routes.count(); i++) {
            String variable = routes.at(i).template().variableOf(bytes, from, request.pathTo);
            if (variable != null) {
                ofRoute = true;
                return strange == null ? answer(routes.at(i), variable, key, connection, in, bytes, start) : strange;
            }
        }
        return strange == null ? PassedOn.NO_ROUTE : strange;
    }

    private @Nullable PassedOn answer(
            ExpressRoute<?, ?> route,
            String variable,
            SelectionKey key,
            LaneConnection connection,
            ByteBuffer in,
            byte[] bytes,
            long start)
            throws IOException {
        int representation = representation(route, bytes);
        int gzip = gzip(bytes);
        if (representation == KnownValues.UNKNOWN || gzip == KnownValues.UNKNOWN) {
            return PassedOn.HEADER;
        }
        EncodedForm form = ready(route, variable, representation, gzip == 1);
        if (form == null) {
            return PassedOn.NOT_READY;
        }
        if (form.okHead().length + form.body().length > out.capacity() - ROOM_FOR_HEAD / 2) {
            return PassedOn.TOO_LARGE;
        }
        if (!admits(route)) {
            return PassedOn.ADMISSION;
        }
        try {
            if (isLast(connection)) {
                return PassedOn.LAST_OF_CONNECTION;
            }
            send(route, form, key, connection, in, bytes, start);
        } finally {
            done(start);
        }
        return null;
    }

    private int representation(ExpressRoute<?, ?> route, byte[] bytes) {
        return request.acceptFrom == 0 ? 0 : route.accepts().find(bytes, request.acceptFrom, request.acceptTo);
    }

    private int gzip(byte[] bytes) {
        int from = request.acceptEncodingFrom;
        return from == 0 ? 0 : ACCEPT_ENCODING.find(bytes, from, request.acceptEncodingTo);
    }

    private @Nullable EncodedForm ready(ExpressRoute<?, ?> route, String variable, int representation, boolean gzip) {
        try {
            return route.ready(variable, representation, gzip);
        } catch (RuntimeException failed) {
            lane.callbackFailed(failed);
            return null;
        }
    }

    private boolean admits(ExpressRoute<?, ?> route) {
        try {
            return lane.admission().admit(route);
        } catch (RuntimeException failed) {
            lane.callbackFailed(failed);
            return false;
        }
    }

    private void done(long start) {
        try {
            lane.admission().done(lane.clock().nanoTime() - start);
        } catch (RuntimeException failed) {
            lane.callbackFailed(failed);
        }
    }

    /** Takes one from the connection's number of requests, unless this is the last: Tomcat answers that, and closes. */
    private boolean isLast(LaneConnection connection) {
        if (!server.connectionsEnd) {
            return false;
        }
        int left = connection.decrementKeepAlive();
        if (left <= 0) {
            connection.setKeepAliveLeft(left + 1);
        }
        return left <= 0;
    }

    private void send(
            ExpressRoute<?, ?> route,
            EncodedForm form,
            SelectionKey key,
            LaneConnection connection,
            ByteBuffer in,
            byte[] bytes,
            long start)
            throws IOException {
        int status = isKnownToClient(form, bytes) ? 304 : 200;
        boolean last = endpoint.isPaused();
        int written = compose(form, status, last);
        if (accessLine != null) {
            accessLine.remember(bytes, request);
        }
        // Consumed before the write: a connection that breaks there gives its buffers to the next one.
        in.clear();
        connection.getSocket().write(out);
        connection.updateLastWrite();
        if (connection.getReadTimeout() != server.keepAliveMillis) {
            connection.setReadTimeout(server.keepAliveMillis);
        }
        boolean whole = !out.hasRemaining() || keepsNoRest(key, connection);
        long tookNanos = lane.clock().nanoTime() - start;
        route.counts().add(Lane.PORT, request.head, status, tookNanos);
        if (accessLine != null) {
            accessLine.log(connection, status, written, tookNanos);
        }
        if (last && whole) {
            connection.close();
        }
    }

    private boolean isKnownToClient(EncodedForm form, byte[] bytes) {
        return request.ifNoneMatchFrom != 0
                && Bytes.equal(form.tagBytes(), bytes, request.ifNoneMatchFrom, request.ifNoneMatchTo);
    }

    /** Fills the buffer; the number of body bytes in it. */
    private int compose(EncodedForm form, int status, boolean last) {
        out.clear();
        out.put(status == 304 ? form.notModifiedHead() : form.okHead());
        out.put(now());
        out.put(last ? server.closeTail : request.keepAliveAsked ? server.keepAliveTail : server.tail);
        boolean body = status == 200 && !request.head;
        if (body) {
            out.put(form.body());
        }
        out.flip();
        return body ? form.body().length : 0;
    }

    private byte[] now() {
        String current = FastHttpDateFormat.getCurrentDate();
        if (!current.equals(date)) {
            date = current;
            dateBytes = current.getBytes(StandardCharsets.US_ASCII);
        }
        return dateBytes;
    }

    /** Whether the socket has taken the rest by now; otherwise it is kept, and finished as the client takes it. */
    private boolean keepsNoRest(SelectionKey key, LaneConnection connection) throws IOException {
        connection.write(false, out);
        if (!connection.flush(false)) {
            return true;
        }
        connection.becomesUnfinished();
        lane.countUnfinishedWrite();
        interest(key, connection, SelectionKey.OP_WRITE);
        return false;
    }

    private boolean continues(SelectionKey key, LaneConnection connection) {
        try {
            if (connection.flush(false)) {
                return true;
            }
            connection.becomesFinished();
            if (endpoint.isPaused()) {
                connection.close();
            } else {
                interest(key, connection, SelectionKey.OP_READ);
            }
        } catch (IOException | CancelledKeyException broken) {
            connection.close();
        }
        return true;
    }

    private static void interest(SelectionKey key, LaneConnection connection, int operation) {
        key.interestOps(operation);
        connection.interestOps(operation);
        if (operation == SelectionKey.OP_READ) {
            connection.updateLastRead();
        }
    }

    private byte[] copy(ByteBuffer in, int read) {
        if (copied.length < read) {
            copied = new byte[Math.max(read, 8192)];
        }
        in.get(0, copied, 0, read);
        return copied;
    }
}
