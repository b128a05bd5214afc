package dev.weir.store.gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where callbacks may go: exactly these origins (scheme, host and port), and nothing that a client writes can widen them. A URL that the
 * gateway calls for a client is a way into the network it stands in, so there is no pattern and no "everything but". Immutable.
 */
final class AllowedOrigins {

    private static final int MAX_URL_CHARS = 1_000;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Set<String> origins;

    /** Of these, such as https://hooks.example.com or http://127.0.0.1:9000. */
    AllowedOrigins(List<String> origins) {
        this.origins = origins.stream().map(AllowedOrigins::setting).collect(Collectors.toUnmodifiableSet());
    }

    private static String setting(String text) {
        URI url = parse(text);
        String origin = url == null ? null : origin(url);
        if (url == null || origin == null || !isBare(url)) {
            throw new IllegalArgumentException(
                    "store.gateway.callbacks.allowed-origins has '" + text
                            + "': give scheme, host and port alone, such as https://hooks.example.com or http://127.0.0.1:9000.");
        }
        return origin;
    }

    private static boolean isBare(URI url) {
        return (url.getRawPath() == null || url.getRawPath().matches("/?"))
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    /** Why a callback may not go there; empty where it may. */
    Optional<String> objection(String text) {
        if (text.length() > MAX_URL_CHARS) {
            return Optional.of("has " + text.length() + " characters; at most " + MAX_URL_CHARS + " are allowed");
        }
        URI url = parse(text);
        String origin = url == null ? null : origin(url);
        if (url == null || origin == null || url.getRawFragment() != null) {
            return Optional.of("must be an http or https URL with a host, without user and fragment");
        }
        return origins.contains(origin)
                ? Optional.empty()
                : Optional.of("leads to " + origin + ", where this store's operator does not allow callbacks");
    }

    private static @Nullable URI parse(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException notOne) {
            return null;
        }
    }

    /** Scheme, host and port in one spelling; null where the URL has none that can be called. */
    private static @Nullable String origin(URI url) {
        if (url.getScheme() == null || url.getHost() == null || url.getRawUserInfo() != null) {
            return null;
        }
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return null;
        }
        int usual = scheme.equals("http") ? HTTP_PORT : HTTPS_PORT;
        int port = url.getPort() < 0 ? usual : url.getPort();
        return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }
}
