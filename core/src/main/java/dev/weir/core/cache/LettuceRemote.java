package dev.weir.core.cache;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Redis by Lettuce: one connection for commands, one for the subscription.
 *
 * <p>Lettuce's own reconnecting is off. It would send again after a reconnect what it had sent before, at least once and
 * late, while the protocol needs at most once; and a new connection must first learn whether this is still the same Redis
 * process, for a restarted one may have come back with values that were evicted before. So a lost connection is given up
 * and a new one made. One that is lost without a sign, or leads to a Redis that takes no writes any more, is given up by
 * the node, which misses its beats.
 */
final class LettuceRemote implements Remote {
    private static final Logger LOG = LoggerFactory.getLogger(LettuceRemote.class);
    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    private static final int THREADS = 2;

    private final RedisURI uri;
    private final String prefix;
    private final String channel;
    private final String epochs;
    private final String own;
    private final long timeoutNanos;
    private final ClientResources resources;
    private final RedisClient client;
    private final AtomicBoolean connecting = new AtomicBoolean();
    private final AtomicBoolean subscribing = new AtomicBoolean();
    private final AtomicBoolean outageTold = new AtomicBoolean();
    private volatile @Nullable Listener listener;
    private volatile @Nullable Session session;
    private volatile @Nullable StatefulRedisPubSubConnection<String, byte[]> subscription;
    private volatile boolean closed;

    /** A connection with its scripts in place. */
    private record Session(
            StatefulRedisConnection<String, byte[]> connection, Map<Scripts, String> digests, String runId) {
        RedisAsyncCommands<String, byte[]> async() {
            return connection.async();
        }
    }

    LettuceRemote(RedisURI uri, String id, CachesConfig config) {
        // Lettuce takes the time for its handshake from the address; its default is a minute.
        Duration toConnect = config.connectTimeout();
        this.uri = RedisURI.builder(uri).withTimeout(toConnect).build();
        this.prefix = config.prefix() + ":v:";
        this.channel = config.prefix() + ":invalidations";
        this.epochs = config.prefix() + ":epochs";
        this.own = node(id);
        this.timeoutNanos = config.commandTimeout().toNanos();
        this.resources = ClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .build();
        this.client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder().connectTimeout(toConnect).build())
                .build());
    }

    /** Tells this one of every command; said before the start. */
    void observed(CommandListener commands) {
        client.addListener(commands);
    }

    @Override
    public void start(Listener to) {
        listener = to;
        upkeep();
    }

    @Override
    public void upkeep() {
        Listener to = listener;
        if (closed || to == null) {
            return;
        }
        if (session == null && connecting.compareAndSet(false, true)) {
            var unused = begun(() -> connect(to)).whenComplete((made, failure) -> {
                connecting.set(false);
                tell(failure);
            });
        }
        if (subscription == null && subscribing.compareAndSet(false, true)) {
            var unused = begun(() -> subscribe(to)).whenComplete((made, failure) -> {
                subscribing.set(false);
                tell(failure);
            });
        }
    }

    /** What cannot even begin, for want of a library for instance, is a failure like any other: it is tried again. */
    private static CompletionStage<?> begun(Supplier<CompletionStage<?>> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException | LinkageError failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    @Override
    public void giveUp() {
        Session commands = session;
        StatefulRedisPubSubConnection<String, byte[]> messages = subscription;
        if (commands != null || messages != null) {
            LOG.warn(
                    "Makes the connections to Redis anew: none of the beats of the last four staleness bounds came back");
        }
        if (commands != null) {
            close(commands.connection());
        }
        if (messages != null) {
            close(messages);
        }
    }

    private CompletionStage<?> connect(Listener to) {
        return client.connectAsync(CODEC, uri)
                .thenCompose(connection -> prepared(connection).handle((made, failure) -> {
                    if (made == null || closed) {
                        close(connection);
                        throw new IllegalStateException("Redis did not take the scripts", failure);
                    }
                    session = made;
                    onDisconnect(connection, () -> {
                        session = null;
                        to.lost();
                    });
                    return made;
                }));
    }

    private CompletableFuture<Session> prepared(StatefulRedisConnection<String, byte[]> connection) {
        RedisAsyncCommands<String, byte[]> async = connection.async();
        Map<Scripts, CompletableFuture<String>> loading = new EnumMap<>(Scripts.class);
        for (Scripts script : Scripts.values()) {
            loading.put(script, async.scriptLoad(script.text()).toCompletableFuture());
        }
        return bounded(async.info("server"))
                .thenCompose(info -> CompletableFuture.allOf(loading.values().toArray(CompletableFuture[]::new))
                        .thenApply(all -> {
                            Map<Scripts, String> digests = new EnumMap<>(Scripts.class);
                            loading.forEach((script, digest) -> digests.put(script, digest.join()));
                            return new Session(connection, digests, runId(info));
                        }));
    }

    private static String runId(String info) {
        return info.lines()
                .filter(line -> line.startsWith("run_id:"))
                .map(line -> line.substring("run_id:".length()).strip())
                .findFirst()
                .orElse("unknown");
    }

    private CompletionStage<?> subscribe(Listener to) {
        return client.connectPubSubAsync(CODEC, uri).thenCompose(connection -> {
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String from, byte[] bytes) {
                    to.message(bytes);
                }

                @Override
                public void subscribed(String name, long count) {
                    if (name.equals(channel)) {
                        to.subscribed();
                    }
                }
            });
            return bounded(connection.async().subscribe(channel, own)).handle((done, failure) -> {
                if (failure != null || closed) {
                    close(connection);
                    throw new IllegalStateException("Redis did not take the subscription", failure);
                }
                subscription = connection;
                onDisconnect(connection, () -> {
                    // In this order: a new subscription must not be told of before the end of the old one.
                    to.away();
                    subscription = null;
                });
                return connection;
            });
        });
    }

    /** Runs it once when the connection is gone, also if it is gone already. */
    private static void onDisconnect(StatefulConnection<String, byte[]> connection, Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        Runnable once = () -> {
            if (done.compareAndSet(false, true)) {
                action.run();
                close(connection);
            }
        };
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
                once.run();
            }
        });
        if (!connection.isOpen()) {
            once.run();
        }
    }

    @Override
    public CompletableFuture<byte[]> get(String cache, String key) {
        Session now = session;
        return now == null ? absent() : now.async().get(name(cache, key)).toCompletableFuture();
    }

    @Override
    public CompletableFuture<@Nullable Long> epoch(String cache) {
        Session now = session;
        return now == null
                ? absent()
                : now.async().hget(epochs, cache).toCompletableFuture().thenApply(LettuceRemote::number);
    }

    @Override
    public CompletableFuture<Acquired> acquire(String cache, String key, long epoch, long token, long leaseMillis) {
        return this.<List<Object>>run(
                        Scripts.ACQUIRE,
                        ScriptOutputType.MULTI,
                        List.of(name(cache, key)),
                        bytes(epoch),
                        bytes(token),
                        text(leaseMillis))
                .thenApply(LettuceRemote::acquired);
    }

    private static Acquired acquired(List<Object> answer) {
        return switch ((int) (long) (Long) answer.getFirst()) {
            case 1 -> new Acquired.Granted((Long) answer.get(1) == 1);
            case 2 -> new Acquired.Present(SharedRecord.parse((byte[]) answer.get(1)));
            default -> new Acquired.Held((Long) answer.get(1) == 1);
        };
    }

    @Override
    public CompletableFuture<Boolean> fill(
            String cache, String key, byte[] expectedIdentity, byte type, long id, byte[] payload, long ttlMillis) {
        byte[] typeAndEpoch = Arrays.copyOf(expectedIdentity, 1 + Long.BYTES);
        typeAndEpoch[0] = type;
        return this.<Long>run(
                        Scripts.FILL,
                        ScriptOutputType.INTEGER,
                        List.of(name(cache, key)),
                        expectedIdentity,
                        typeAndEpoch,
                        bytes(id),
                        payload,
                        text(ttlMillis))
                .thenApply(done -> done == 1);
    }

    @Override
    public void release(String cache, String key, byte[] identity) {
        var unused = this.<Long>run(Scripts.RELEASE, ScriptOutputType.INTEGER, List.of(name(cache, key)), identity)
                .exceptionally(failure -> 0L);
    }

    @Override
    public CompletableFuture<PutReply> put(
            String cache,
            String key,
            byte[] identity,
            byte[] payload,
            long ttlMillis,
            long guardMillis,
            byte[] message) {
        return this.<List<Object>>run(
                        Scripts.PUT,
                        ScriptOutputType.MULTI,
                        List.of(name(cache, key)),
                        text(channel),
                        message,
                        identity,
                        payload,
                        text(ttlMillis),
                        text(guardMillis))
                .thenApply(answer -> new PutReply((Long) answer.get(0) == 1, (Long) answer.get(1)));
    }

    @Override
    public CompletableFuture<Long> evict(String cache, List<String> keys, long guardMillis, byte[] message) {
        return run(
                Scripts.EVICT,
                ScriptOutputType.INTEGER,
                keys.stream().map(key -> name(cache, key)).toList(),
                text(channel),
                message,
                text(guardMillis));
    }

    @Override
    public CompletableFuture<Long> clear(String cache, long newEpoch, byte[] message) {
        return run(
                Scripts.CLEAR,
                ScriptOutputType.INTEGER,
                List.of(epochs),
                text(channel),
                message,
                text(cache),
                bytes(newEpoch));
    }

    @Override
    public CompletableFuture<Map<String, Long>> beat(Map<String, Long> proposedEpochs, byte[] message) {
        Session now = session;
        if (now == null) {
            return absent();
        }
        List<String> caches = new ArrayList<>(proposedEpochs.keySet());
        List<byte[]> arguments = new ArrayList<>(List.of(text(channel), message, text(now.runId())));
        for (String cache : caches) {
            arguments.add(text(cache));
            arguments.add(bytes(proposedEpochs.getOrDefault(cache, 1L)));
        }
        return this.<List<Object>>run(
                        Scripts.BEAT, ScriptOutputType.MULTI, List.of(epochs), arguments.toArray(byte[][]::new))
                .thenApply(answer -> {
                    Map<String, Long> known = new HashMap<>();
                    for (int i = 0; i < caches.size(); i++) {
                        Long epoch = number((byte[]) answer.get(i));
                        if (epoch != null) {
                            known.put(caches.get(i), epoch);
                        }
                    }
                    return known;
                });
    }

    @Override
    public void acknowledge(String publisher, byte[] message) {
        Session now = session;
        if (now != null) {
            var unused = now.async().publish(node(publisher), message);
        }
    }

    @Override
    public void close(byte[] lastMessage) {
        closed = true;
        Session now = session;
        if (now != null) {
            bounded(now.async().publish(channel, lastMessage))
                    .exceptionally(failure -> 0L)
                    .join();
        }
        client.shutdown(0, 1, TimeUnit.SECONDS);
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private <T> CompletableFuture<T> run(
            Scripts script, ScriptOutputType output, List<String> keys, byte[]... arguments) {
        Session now = session;
        String digest = now == null ? null : now.digests().get(script);
        if (now == null || digest == null) {
            return absent();
        }
        CompletableFuture<T> answer =
                bounded(now.async().evalsha(digest, output, keys.toArray(String[]::new), arguments));
        var unused = answer.whenComplete((done, failure) -> {
            if (failure instanceof RedisNoScriptException) {
                // SCRIPT FLUSH, or another Redis behind the same address: begin again.
                close(now.connection());
            }
        });
        return answer;
    }

    private <T> CompletableFuture<T> bounded(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    private static <T extends @Nullable Object> CompletableFuture<T> absent() {
        return CompletableFuture.failedFuture(new IllegalStateException("not connected to Redis"));
    }

    /** Once for each outage; attempts follow each other several times a second. */
    private void tell(@Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (failure != null) {
            LOG.debug("Connecting to Redis failed; it is tried again", failure);
            if (outageTold.compareAndSet(false, true)) {
                LOG.warn(
                        "No connection to Redis at {}: {}. It is tried again; until then the caches answer as without Redis",
                        address(),
                        reason(failure));
            }
        } else if (session != null && subscription != null && outageTold.compareAndSet(true, false)) {
            LOG.info("Connected to Redis at {}", address());
        }
    }

    private String address() {
        return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
    }

    /** The innermost cause says what happened; those around it say that something did. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private String name(String cache, String key) {
        return prefix + cache + ":" + key;
    }

    private String node(String id) {
        return channel + ":" + id;
    }

    /** A connection that is closed here also tells that it is gone, which closes it; Lettuce warns of a second time. */
    private static void close(StatefulConnection<String, byte[]> connection) {
        if (connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed()) {
            return;
        }
        var unused = connection.closeAsync();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] text(long number) {
        return text(Long.toString(number));
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static @Nullable Long number(byte @Nullable [] bytes) {
        return bytes == null || bytes.length != Long.BYTES
                ? null
                : ByteBuffer.wrap(bytes).getLong();
    }
}
