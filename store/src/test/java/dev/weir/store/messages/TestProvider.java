package dev.weir.store.messages;

import java.net.URI;
import java.time.Duration;

/** The client of the message provider for tests of other packages. */
public final class TestProvider {

    private TestProvider() {}

    public static MessageProvider of(String url, Duration timeout, int maxConnections) {
        return new MessageProvider(new MessageProviderSettings(URI.create(url), timeout, maxConnections));
    }
}
