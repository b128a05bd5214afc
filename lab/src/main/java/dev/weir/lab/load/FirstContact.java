package dev.weir.lab.load;

import dev.weir.lab.engine.Tls;
import dev.weir.lab.plan.Target;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Connects once before any load, so that a target out of reach is one sentence and not a million failures. */
public final class FirstContact {

    /**
     * Resolves the host, connects to its addresses in turn until one answers, and shakes hands over TLS. Sends no
     * request. Blocks, at most the time-out for each address.
     *
     * @param tls null for a plain connection
     * @return the first address that answered
     * @throws UnreachableException with one sentence that says what to do, if none did
     */
    public static InetSocketAddress make(Target target, @Nullable Tls tls, Duration timeout) {
        IOException first = null;
        for (InetAddress address : resolve(target)) {
            InetSocketAddress endpoint = new InetSocketAddress(address, target.port());
            try (Socket socket = new Socket()) {
                socket.connect(endpoint, Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
                if (tls != null) {
                    shakeHands(socket, target, tls, timeout);
                }
                return endpoint;
            } catch (SSLException e) {
                throw new UnreachableException(tlsSentence(target, e), e);
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        IOException failure = first == null ? new IOException("no address") : first;
        throw new UnreachableException(sentence(target, failure, timeout), failure);
    }

    private static InetAddress[] resolve(Target target) {
        try {
            return InetAddress.getAllByName(target.host());
        } catch (UnknownHostException e) {
            throw new UnreachableException(
                    "host '" + target.host() + "' does not resolve: check its spelling, or give its address", e);
        }
    }

    private static void shakeHands(Socket socket, Target target, Tls tls, Duration timeout) throws IOException {
        socket.setSoTimeout(Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
        try (SSLSocket secured = tls.secured(socket, target.port())) {
            secured.startHandshake();
        } catch (SocketTimeoutException e) {
            throw new SSLException("no answer to the handshake within " + Words.time(timeout.toNanos() / 1e6), e);
        }
    }

    private static String sentence(Target target, IOException failure, Duration timeout) {
        String endpoint = target.endpoint();
        return switch (failure) {
            case SocketTimeoutException _ ->
                endpoint + " did not answer within " + Words.time(timeout.toNanos() / 1e6)
                        + ": check address and port, and that no firewall is between";
            case ConnectException _ ->
                endpoint + " refuses connections: check that the service is running and listens on that port";
            default -> endpoint + " cannot be reached (" + reason(failure) + "): check address and port";
        };
    }

    private static String tlsSentence(Target target, SSLException failure) {
        String endpoint = target.endpoint();
        if (isCertificateProblem(failure)) {
            return "the certificate of " + endpoint + " does not verify (" + reason(failure)
                    + "): trust its authority with --cacert FILE, or skip the check with --insecure";
        }
        if (failure instanceof SSLHandshakeException && !(failure.getCause() instanceof EOFException)) {
            return "the TLS handshake with " + endpoint + " failed (" + reason(failure)
                    + "): check that the service offers TLS 1.2 or 1.3";
        }
        return endpoint + " does not speak TLS (" + failure.getMessage() + "): write http:// if it is a plain service";
    }

    private static boolean isCertificateProblem(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage();
        return message == null
                ? inner.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    private FirstContact() {}
}
