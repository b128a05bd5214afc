package dev.weir.core.express;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.tomcat.util.ExceptionUtils;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SendfileState;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's NIO endpoint with pollers that look before they hand over. Tomcat has one poller; as soon as the lane is on, it
 * stays without connections, and those are dealt in turn to the lane's own, which run Tomcat's poller loop. One acceptor,
 * one limit of connections and one pool of workers stay in charge of them all, which several connectors on one port would
 * not give.
 */
final class LaneEndpoint extends NioEndpoint {

    private final AtomicInteger unfinished = new AtomicInteger();
    private volatile List<LanePoller> pollers = List.of();
    private @Nullable PortLane lane;
    private @Nullable Supplier<LaneFitness> fitness;

    // Both are used by the acceptor's thread alone.
    private int turn;
    private @Nullable LanePoller chosen;

    /**
     * Turns the lane on for the next start.
     *
     * @param fitness asked when the endpoint is bound, since before that it does not tell its own settings
     */
    void serve(PortLane lane, Supplier<LaneFitness> fitness) {
        this.lane = lane;
        this.fitness = fitness;
    }

    @Override
    public void startInternal() throws Exception {
        if (lane == null || fitness == null || running) {
            super.startInternal();
            return;
        }
        LaneFitness found = fitness.get();
        if (found.server() == null) {
            super.startInternal();
            lane.unfit(found.reason());
        } else {
            startPollers(lane, found.server());
            super.startInternal();
            lane.started();
        }
    }

    private void startPollers(PortLane starting, LaneServer facts) throws IOException {
        List<LanePoller> started = new ArrayList<>();
        for (int i = 0; i < starting.settings().pollers(); i++) {
            started.add(new LanePoller(new PollerLane(this, starting, facts)));
        }
        setStopLatch(new CountDownLatch(1 + started.size()));
        for (int i = 0; i < started.size(); i++) {
            Thread thread = new Thread(started.get(i), getName() + "-Express-Poller-" + (i + 1));
            thread.setDaemon(true);
            thread.start();
        }
        pollers = List.copyOf(started);
    }

    @Override
    public void stopInternal() {
        List<LanePoller> stopping = pollers;
        if (running && !stopping.isEmpty()) {
            if (!paused) {
                pause();
            }
            drain();
            stopping.forEach(LanePoller::end);
        }
        super.stopInternal();
        pollers = List.of();
        if (lane != null) {
            lane.stopped();
        }
    }

    /** Connections whose answer is not yet taken whole. Any thread may ask. */
    int unfinished() {
        return unfinished.get();
    }

    private void drain() {
        long drainNanos = lane == null ? 0 : lane.settings().drain().toNanos();
        long start = System.nanoTime();
        try {
            while (unfinished() > 0 && System.nanoTime() - start < drainNanos) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        List<LanePoller> running = pollers;
        if (running.isEmpty()) {
            return super.setSocketOptions(socket);
        }
        turn = (turn + 1) % running.size();
        chosen = running.get(turn);
        try {
            chosen.register(wrap(socket));
            return true;
        } catch (Throwable failed) {
            ExceptionUtils.handleThrowable(failed);
            getLog().error("A connection could not be set up", failed);
            if (!connections.containsKey(socket)) {
                destroySocket(socket);
            }
            return false;
        } finally {
            chosen = null;
        }
    }

    /** What Tomcat does with an accepted socket, up to its registration; the new wrapper asks for its poller. */
    private LaneConnection wrap(SocketChannel socket) throws IOException {
        NioChannel channel = getNioChannels() == null ? null : getNioChannels().pop();
        if (channel == null) {
            channel = createChannel(new SocketBufferHandler(
                    socketProperties.getAppReadBufSize(),
                    socketProperties.getAppWriteBufSize(),
                    socketProperties.getDirectBuffer()));
        }
        LaneConnection wrapper = new LaneConnection(channel, this, unfinished);
        channel.reset(socket, wrapper);
        connections.put(socket, wrapper);
        socket.configureBlocking(false);
        if (getUnixDomainSocketPath() == null) {
            socketProperties.setProperties(socket.socket());
        }
        wrapper.setReadTimeout(getConnectionTimeout());
        wrapper.setWriteTimeout(getConnectionTimeout());
        wrapper.setKeepAliveLeft(getMaxKeepAliveRequests());
        return wrapper;
    }

    @Override
    protected Poller getPoller() {
        return chosen != null ? chosen : super.getPoller();
    }

    @Override
    public int getKeepAliveCount() {
        return super.getKeepAliveCount()
                + pollers.stream().mapToInt(Poller::getKeyCount).sum();
    }

    /** Tomcat's poller loop, with a look before each hand-over. */
    final class LanePoller extends Poller {

        private final PollerLane answers;

        LanePoller(PollerLane answers) throws IOException {
            this.answers = answers;
        }

        @Override
        protected void processKey(SelectionKey key, NioSocketWrapper connection) {
            if (!(connection instanceof LaneConnection ours && (endsLending(key, ours) || isTaken(key, ours)))) {
                super.processKey(key, connection);
            }
        }

        /** Tomcat's registration of an interest, which is still there where the connection was lent. */
        @Override
        public void add(NioSocketWrapper connection, int operation) {
            if (operation == SelectionKey.OP_READ && connection instanceof LaneConnection ours) {
                ours.updateLastRead();
                if (ours.takeBack()) {
                    return;
                }
            }
            super.add(connection, operation);
        }

        /** A file takes the connection for itself; in Tomcat its key has no interest by now. */
        @Override
        public SendfileState processSendfile(SelectionKey key, NioSocketWrapper connection, boolean calledByProcessor) {
            if (connection instanceof LaneConnection ours && ours.takeBack()) {
                reg(key, connection, key.interestOps() & ~SelectionKey.OP_READ);
            }
            return super.processSendfile(key, connection, calledByProcessor);
        }

        /** Whether more bytes arrived while a worker serves the connection: then the interest goes, and the worker brings it back. */
        private boolean endsLending(SelectionKey key, LaneConnection connection) {
            try {
                int ready = key.readyOps();
                if ((ready & SelectionKey.OP_READ) == 0) {
                    return false;
                }
                // The second is an event that was on its way when a file took the connection.
                if (connection.takeBack() || (ready == SelectionKey.OP_READ && connection.getSendfileData() != null)) {
                    reg(key, connection, key.interestOps() & ~SelectionKey.OP_READ);
                    return true;
                }
                return false;
            } catch (CancelledKeyException gone) {
                return false;
            }
        }

        /** Tomcat's loop has no guard around this: what left it would end the thread, and all its connections with it. */
        private boolean isTaken(SelectionKey key, LaneConnection connection) {
            try {
                return answers.takes(key, connection);
            } catch (Throwable failed) {
                ExceptionUtils.handleThrowable(failed);
                getLog().error("The port lane failed; the connection is closed", failed);
                connection.close();
                return true;
            }
        }

        void end() {
            destroy();
        }
    }
}
