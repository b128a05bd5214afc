package dev.weir.store.gateway;

import dev.weir.store.text.StoredText;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes one signed call of a client's server. No redirect is followed, nothing of an answer but its status is kept, and a connection is made
 * only to an address that {@link CallbackAddresses} lets through: it is the address that was looked at that is connected to. Any thread may
 * use it.
 */
final class CallbackClient implements AutoCloseable {

    private static final Duration CONNECT_TIME = Duration.ofSeconds(2);
    private static final Duration IDLE_TIME = Duration.ofSeconds(20);
    private static final int FIRST_SUCCESS = 200;
    private static final int FIRST_NO_SUCCESS = 300;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AllowedOrigins allowed;
    private final Signature signature;
    private final Duration timeout;
    private final InstantSource clock;
    private final ConnectionProvider connections;
    private final HttpClient client;

    /** @param most calls at once */
    CallbackClient(
            AllowedOrigins allowed,
            CallbackAddresses addresses,
            Signature signature,
            Duration timeout,
            int most,
            InstantSource clock) {
        this.allowed = allowed;
        this.signature = signature;
        this.timeout = timeout;
        this.clock = clock;
        this.connections = ConnectionProvider.builder("callbacks")
                .maxConnections(most)
                .pendingAcquireMaxCount(-1)
                .maxIdleTime(IDLE_TIME)
                .build();
        this.client = HttpClient.create(connections)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIME.toMillis())
                .followRedirect(false)
                .resolver(new Resolvers(addresses));
    }

    /** Calls once, and ends in time whatever the other side does; answers why it failed, as the database takes it, or null. May block. */
    @Nullable
    String call(CallbackTable.Due due) {
        // Settings may have changed since the message was accepted.
        String objection = allowed.objection(due.url()).orElse(null);
        String failure = objection == null ? answered(due) : "the URL " + objection;
        return failure == null ? null : StoredText.of(failure);
    }

    private @Nullable String answered(CallbackTable.Due due) {
        // Also an answer without an end is cut off: nothing of it is wanted.
        String failure = send(due)
                .map(CallbackClient::judged)
                .timeout(timeout, Mono.just("no whole answer within " + timeout.toMillis() + " ms"))
                .onErrorResume(failed -> Mono.just(String.valueOf(failed)))
                .block();
        return failure == null || failure.isEmpty() ? null : failure;
    }

    private static String judged(int status) {
        return status >= FIRST_SUCCESS && status < FIRST_NO_SUCCESS ? "" : "it answered " + status;
    }

    private Mono<Integer> send(CallbackTable.Due due) {
        byte[] body = body(due).getBytes(StandardCharsets.UTF_8);
        return client.headers(headers -> fill(headers, due, body))
                .post()
                .uri(due.url())
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
                .response((response, content) ->
                        content.then(Mono.just(response.status().code())))
                .single();
    }

    private void fill(HttpHeaders headers, CallbackTable.Due due, byte[] body) {
        long unixSeconds = clock.instant().getEpochSecond();
        String id = due.messageId().toString();
        headers.set(HttpHeaderNames.USER_AGENT, "weir-store")
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set("webhook-id", id)
                .set("webhook-timestamp", Long.toString(unixSeconds))
                .set(
                        "webhook-signature",
                        signature.sign(due.client(), id, unixSeconds, new String(body, StandardCharsets.UTF_8)));
    }

    private static String body(CallbackTable.Due due) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", due.messageId());
        data.put("status", due.status());
        if (due.providerId() != null) {
            data.put("providerId", due.providerId());
        }
        if (due.reason() != null) {
            data.put("reason", due.reason());
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", due.status().equals(MessageStatus.SENT.name()) ? "message.sent" : "message.failed");
        body.put("timestamp", due.endedAt().toString());
        body.put("data", data);
        return JSON.writeValueAsString(body);
    }

    @Override
    public void close() {
        connections.dispose();
    }

    /** Asks for names off the event loop, since that may block. */
    private static final class Resolvers extends AddressResolverGroup<InetSocketAddress> {

        private final CallbackAddresses addresses;

        Resolvers(CallbackAddresses addresses) {
            this.addresses = addresses;
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new Resolver(executor, addresses).asAddressResolver();
        }
    }

    private static final class Resolver extends InetNameResolver {

        private final CallbackAddresses addresses;

        Resolver(EventExecutor executor, CallbackAddresses addresses) {
            super(executor);
            this.addresses = addresses;
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            inBackground(promise, () -> addresses.of(host).getFirst());
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            inBackground(promise, () -> addresses.of(host));
        }

        private interface Lookup<T> {
            T run() throws UnknownHostException;
        }

        private static <T> void inBackground(Promise<T> promise, Lookup<T> lookup) {
            Thread.ofVirtual().name("store-gateway-callback-name").start(() -> {
                try {
                    promise.trySuccess(lookup.run());
                } catch (UnknownHostException | RuntimeException failed) {
                    promise.tryFailure(failed);
                }
            });
        }
    }
}
