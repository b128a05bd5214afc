package dev.weir.lab.engine;

import dev.weir.lab.http1.ResponseParser;
import dev.weir.lab.plan.RequestSource;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Tries a service with one connection and one request before any load, so that what is wrong can be said precisely. */
public final class Probe {
    private static final int TLS_ALERT = 0x15;

    private final EngineConfig config;
    private final long startNanos = System.nanoTime();

    private Probe(EngineConfig config) {
        this.config = config;
    }

    /**
     * Tries a host's addresses in turn until one accepts a connection, and sends it the first request of the
     * configuration's source. Blocks, for each address at most the connect time-out, and once the request time-out.
     *
     * @param config makes the configuration for an address of the host
     */
    public static ProbeResult probe(String host, int port, Function<InetSocketAddress, EngineConfig> config) {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            return new ProbeResult.Unresolved(host);
        }
        ProbeResult result = new ProbeResult.Unresolved(host);
        for (InetAddress address : addresses) {
            result = new Probe(config.apply(new InetSocketAddress(address, port))).tryIt();
            if (!(result instanceof ProbeResult.Unreachable)) {
                return result;
            }
        }
        return result;
    }

    private ProbeResult tryIt() {
        try (Socket socket = new Socket()) {
            try {
                socket.connect(config.address(), millis(config.connectTimeout()));
            } catch (SocketTimeoutException e) {
                return unreachable(
                        "no connection within " + config.connectTimeout().toMillis() + " ms");
            } catch (IOException e) {
                return unreachable(Tls.reason(e));
            }
            return secured(socket);
        } catch (IOException e) {
            return unreachable(Tls.reason(e));
        }
    }

    private ProbeResult unreachable(String reason) {
        return new ProbeResult.Unreachable(config.address(), reason);
    }

    private ProbeResult secured(Socket socket) throws IOException {
        Tls tls = config.tls();
        if (tls == null) {
            return exchange(socket);
        }
        socket.setSoTimeout(millis(config.connectTimeout()));
        try (SSLSocket secured = tls.secured(socket, config.address().getPort())) {
            try {
                secured.startHandshake();
            } catch (SocketTimeoutException e) {
                return new ProbeResult.TlsFailed("it is not over within "
                        + config.connectTimeout().toMillis() + " ms; does the port speak TLS?");
            } catch (SSLException e) {
                return new ProbeResult.TlsFailed(Tls.reason(e));
            }
            return exchange(secured);
        }
    }

    private ProbeResult exchange(Socket socket) {
        try {
            RequestSource source = config.requests().create(0, 1);
            byte[] request = bytes(source.next());
            socket.getOutputStream().write(request);
            return answer(socket, source.isHead());
        } catch (SocketTimeoutException e) {
            return new ProbeResult.NoAnswer(config.requestTimeout());
        } catch (IOException e) {
            return new ProbeResult.ClosedEarly(Tls.reason(e));
        }
    }

    private static byte[] bytes(ByteBuffer request) {
        byte[] bytes = new byte[request.remaining()];
        request.get(request.position(), bytes);
        return bytes;
    }

    private ProbeResult answer(Socket socket, boolean head) throws IOException {
        ResponseParser parser = new ResponseParser(config.maxHeaderBytes(), config.maxBodyBytes());
        parser.reset(head);
        long deadline = System.nanoTime() + config.requestTimeout().toNanos();
        InputStream in = socket.getInputStream();
        byte[] piece = new byte[1 << 13];
        ByteBuffer buffer = ByteBuffer.allocateDirect(piece.length);
        boolean first = true;
        while (true) {
            socket.setSoTimeout(millisUntil(deadline));
            int count = in.read(piece);
            if (count < 0) {
                return endOfInput(parser);
            }
            boolean alert = first && count > 0 && piece[0] == TLS_ALERT;
            first = false;
            switch (parser.parse(buffer.clear().put(piece, 0, count).flip())) {
                case INCOMPLETE -> {}
                case COMPLETE -> {
                    return answered(parser);
                }
                case MALFORMED, TOO_LARGE -> {
                    return new ProbeResult.NotHttp(alert ? "the port speaks TLS; use https" : parser.problem());
                }
            }
        }
    }

    private ProbeResult endOfInput(ResponseParser parser) throws EOFException {
        if (parser.endOfInput()) {
            return answered(parser);
        }
        throw new EOFException("end of input");
    }

    private ProbeResult answered(ResponseParser parser) {
        return new ProbeResult.Answered(
                config.address(), parser.status(), Duration.ofNanos(System.nanoTime() - startNanos));
    }

    private static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
    }

    private static int millisUntil(long deadline) throws SocketTimeoutException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }
}
