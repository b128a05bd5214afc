package dev.weir.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests to a server on this machine, with JSON in and out. */
public record Http(int port) {

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    /** What came back; {@link #json()} is for JSON bodies only. */
    public record Answer(int status, HttpResponse<String> response) {

        public String body() {
            return response.body();
        }

        public JsonNode json() {
            return JsonMapper.shared().readTree(response.body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** The member {@code type} of a problem, without its prefix; about:blank when there is none. */
        public String problem() {
            if (!header("content-type").startsWith("application/problem+json")) {
                return "no problem but " + header("content-type");
            }
            return json().path("type").asString("about:blank").replace("urn:weir:store:problem:", "");
        }
    }

    public Answer get(String path, String... headers) {
        return send(request(path, headers).GET().build());
    }

    public Answer post(String path, String json, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build());
    }

    public Answer put(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json))
                .build());
    }

    /** The body as it came. */
    public HttpResponse<byte[]> getBytes(String path, String... headers) {
        return send(request(path, headers).GET().build(), BodyHandlers.ofByteArray());
    }

    public Answer send(HttpRequest request) {
        HttpResponse<String> response = send(request, BodyHandlers.ofString());
        return new Answer(response.statusCode(), response);
    }

    private static <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) {
        try {
            return CLIENT.send(request, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The test was interrupted", e);
        }
    }

    public HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60));
        return headers.length == 0 ? request : request.headers(headers);
    }
}
