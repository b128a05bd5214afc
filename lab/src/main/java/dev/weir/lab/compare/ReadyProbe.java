package dev.weir.lab.compare;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks a service once whether it is ready. */
final class ReadyProbe implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    private final URI url;
    private final HttpClient client = HttpClient.newBuilder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_WITHIN)
            .build();

    ReadyProbe(URI url) {
        this.url = url;
    }

    /** Empty where the service is ready, or else what it did instead, as in "connection refused". Blocks 2 s at most. */
    String whyNotReady() throws InterruptedException {
        try {
            return "tcp".equals(url.getScheme()) ? connect() : get();
        } catch (IOException e) {
            return e.getMessage() == null || e.getMessage().isBlank()
                    ? "no connection"
                    : e.getMessage().strip();
        }
    }

    private String connect() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int) ANSWER_WITHIN.toMillis());
            return "";
        }
    }

    private String get() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url).timeout(ANSWER_WITHIN).build();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        return status / 100 == 2 ? "" : "status " + status;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
