package dev.weir.lab.engine;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How connections are secured.
 *
 * @param serverName the name the certificate must be for, also sent as server name indication unless it is an address
 * @param verify whether the certificate and its name are checked
 * @param context keys and trust
 */
public record Tls(String serverName, boolean verify, SSLContext context) {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

    /** Trusts what the JDK's trust store trusts. */
    public static Tls verified(String serverName) {
        return new Tls(serverName, true, context(null));
    }

    /** Trusts the certificates of a store and no other. */
    public static Tls trusting(String serverName, KeyStore trusted) {
        return new Tls(serverName, true, context(trustManagers(trusted)));
    }

    /** Trusts every certificate: for test services that have none of a known authority. */
    public static Tls insecure(String serverName) {
        return new Tls(serverName, false, context(new TrustManager[] {new TrustEverything()}));
    }

    /** The client's side of one connection. */
    SSLEngine newEngine(int port) {
        SSLEngine engine = context.createSSLEngine(serverName, port);
        engine.setUseClientMode(true);
        engine.setSSLParameters(parameters(engine.getSSLParameters()));
        return engine;
    }

    /**
     * The client's side of one blocking connection, set as that of the load. It closes the connection below it.
     *
     * @throws IOException if the connection is closed
     */
    public SSLSocket secured(Socket connected, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(connected, serverName, port, true);
        socket.setSSLParameters(parameters(socket.getSSLParameters()));
        return socket;
    }

    private SSLParameters parameters(SSLParameters from) {
        if (verify) {
            from.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (!ADDRESS.matcher(serverName).matches()) {
            from.setServerNames(List.of(new SNIHostName(serverName)));
        }
        from.setApplicationProtocols(new String[] {"http/1.1"});
        return from;
    }

    /** The innermost reason of a failed handshake, as a phrase. */
    static String reason(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage();
        return message == null ? inner.getClass().getSimpleName() : message;
    }

    private static SSLContext context(TrustManager @Nullable [] trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK offers no TLS", e);
        }
    }

    private static TrustManager[] trustManagers(KeyStore trusted) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the trust store cannot be used: " + e.getMessage(), e);
        }
    }

    private static final class TrustEverything extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
