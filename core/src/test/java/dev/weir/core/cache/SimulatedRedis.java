package dev.weir.core.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scripts over a plain map, and connections that a test can hold up, cut and rob of messages. Commands, replies and
 * messages go one by one, when the test says so.
 */
final class SimulatedRedis {
    private final LongSupplier nowNanos;
    private final List<Link> links = new ArrayList<>();
    private Map<String, Stored> values = new HashMap<>();
    private Map<String, Long> epochs = new HashMap<>();
    private Map<String, Stored> savedValues = new HashMap<>();
    private Map<String, Long> savedEpochs = new HashMap<>();
    private String runId = "run-0";
    private String epochsOfRun = "";
    private int runs;
    private boolean up = true;
    private boolean frozen;
    private boolean refuses;
    private @Nullable Runnable beforeEviction;

    /** What the primary before this one still answers with. */
    private Map<String, Stored> formerValues = new HashMap<>();

    private Map<String, Long> formerEpochs = new HashMap<>();

    private static final class Stored {
        private final byte type;
        private final long epoch;
        private final long id;
        private final long guardMillis;
        private final byte[] payload;
        private final long expiresMillis;

        Stored(byte type, long epoch, long id, long guardMillis, byte[] payload, long expiresMillis) {
            this.type = type;
            this.epoch = epoch;
            this.id = id;
            this.guardMillis = guardMillis;
            this.payload = payload;
            this.expiresMillis = expiresMillis;
        }

        byte[] bytes() {
            return ByteBuffer.allocate(SharedRecord.HEAD_BYTES + payload.length)
                    .put(type)
                    .putLong(epoch)
                    .putLong(id)
                    .put("0000000000000".getBytes(StandardCharsets.US_ASCII))
                    .put(payload)
                    .array();
        }

        boolean is(byte[] identity) {
            return Arrays.equals(SharedRecord.identity(type, epoch, id), identity);
        }
    }

    SimulatedRedis(LongSupplier nowNanos) {
        this.nowNanos = nowNanos;
    }

    Link link(String node) {
        Link link = new Link(node);
        links.add(link);
        return link;
    }

    void flush() {
        values.clear();
        epochs.clear();
        epochsOfRun = "";
    }

    void save() {
        savedValues = new HashMap<>(values);
        savedEpochs = new HashMap<>(epochs);
    }

    /** The next write fails. */
    void refuseOnce() {
        refuses = true;
    }

    /** Happens once, before an eviction is executed. */
    void beforeEviction(Runnable action) {
        beforeEviction = action;
    }

    /** Takes no step until told; the connections stay. */
    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
    }

    /** Dies; comes back, with what was saved last or empty, when told. */
    void kill() {
        up = false;
        frozen = false;
        links.forEach(Link::cutCommands);
        links.forEach(Link::cutSubscription);
    }

    /** Was only cut off from everybody. */
    void comeBack() {
        up = true;
    }

    void restart(boolean withData) {
        up = true;
        runId = "run-" + ++runs;
        values = withData ? new HashMap<>(savedValues) : new HashMap<>();
        epochs = withData ? new HashMap<>(savedEpochs) : new HashMap<>();
        if (!withData) {
            epochsOfRun = "";
        }
    }

    /** Another server becomes the primary, with what this one holds; the connections there are go on leading to this one. */
    void failOver() {
        formerValues = new HashMap<>(values);
        formerEpochs = new HashMap<>(epochs);
        runId = "run-" + ++runs;
        links.forEach(link -> link.leadsToFormer = link.connected || link.leadsToFormer);
        links.forEach(link -> link.hearsFormer = link.subscribed || link.hearsFormer);
    }

    boolean up() {
        return up;
    }

    boolean frozen() {
        return frozen;
    }

    private long nowMillis() {
        return nowNanos.getAsLong() / 1_000_000;
    }

    private @Nullable Stored stored(String name) {
        return stored(values, name);
    }

    private @Nullable Stored stored(Map<String, Stored> in, String name) {
        Stored stored = in.get(name);
        return stored == null || stored.expiresMillis <= nowMillis() ? null : stored;
    }

    private long publish(byte[] message) {
        long receivers = 0;
        for (Link link : links) {
            if (link.subscribed && !link.hearsFormer) {
                link.hear(message);
                receivers++;
            }
        }
        return receivers;
    }

    private Stored tombstone(long guardMillis) {
        long until = nowMillis() + guardMillis;
        return new Stored(SharedRecord.TOMBSTONE, 0, 0, until, new byte[0], until);
    }

    /** What a replica answers to a write. */
    private static final class ReadOnlyException extends RuntimeException {
        ReadOnlyException() {
            super("READONLY", null, false, false);
        }
    }

    /** One node's two connections. */
    final class Link implements Remote {
        private final String node;
        private final Deque<Command<?>> commands = new ArrayDeque<>();
        private final Deque<Runnable> replies = new ArrayDeque<>();
        private final Deque<Consumer<Listener>> inbox = new ArrayDeque<>();
        private final List<Command<?>> outstanding = new ArrayList<>();
        private @Nullable Listener listener;
        private String connectedRun = "";
        private boolean connected;
        private boolean subscribed;
        private boolean knowsOfSubscription;
        private boolean wasToldOfSubscription;
        private boolean reachable = true;
        private boolean silent;
        private boolean held;
        private @Nullable Runnable whenLeft;
        private int givenUp;
        private boolean leadsToFormer;
        private boolean hearsFormer;

        private Link(String node) {
            this.node = node;
        }

        private final class Command<T extends @Nullable Object> {
            private final Supplier<T> body;
            private final CompletableFuture<T> future = new CompletableFuture<>();
            private final long sentNanos = nowNanos.getAsLong();

            private Command(Supplier<T> body) {
                this.body = body;
            }

            private void execute() {
                T answer;
                try {
                    answer = body.get();
                } catch (ReadOnlyException refused) {
                    replies.add(() -> {
                        outstanding.remove(this);
                        future.completeExceptionally(refused);
                    });
                    return;
                }
                replies.add(() -> {
                    outstanding.remove(this);
                    future.complete(answer);
                });
            }
        }

        boolean hasCommand() {
            return !frozen && !commands.isEmpty();
        }

        long oldestCommandNanos() {
            Command<?> oldest = frozen ? null : commands.peek();
            return oldest == null ? Long.MAX_VALUE : oldest.sentNanos;
        }

        void executeNext() {
            commands.remove().execute();
        }

        boolean hasReply() {
            return !replies.isEmpty();
        }

        void deliverReply() {
            replies.remove().run();
        }

        boolean hasMessage() {
            return !inbox.isEmpty() && !held;
        }

        /** Messages, and the news that there are none any more, stay on their way. */
        void holdMessages() {
            held = true;
        }

        void deliverMessage() {
            Listener to = listener;
            if (to != null) {
                inbox.remove().accept(to);
            }
        }

        /** Loses the next message while the connection stays, as a bus between servers can. */
        void loseMessage() {
            if (subscribed && wasToldOfSubscription) {
                inbox.poll();
            }
        }

        void swapMessages() {
            if (subscribed && wasToldOfSubscription && inbox.size() > 1) {
                Consumer<Listener> first = inbox.remove();
                Consumer<Listener> second = inbox.remove();
                inbox.addFirst(first);
                inbox.addFirst(second);
            }
        }

        /** Nothing passes any more, and nobody is told: a half-open connection. */
        void goSilent() {
            if (!connected || !subscribed || !wasToldOfSubscription) {
                return;
            }
            silent = true;
            commands.clear();
            replies.clear();
            inbox.clear();
        }

        /** Happens after the last message of a close is published and before its connections end. */
        void whenLeft(Runnable action) {
            whenLeft = action;
        }

        private void hear(byte[] message) {
            if (!silent) {
                inbox.add(to -> to.message(message));
            }
        }

        @Override
        public void giveUp() {
            givenUp++;
            cutCommands();
            cutSubscription();
        }

        int timesGivenUp() {
            return givenUp;
        }

        void cutCommands() {
            silent = false;
            leadsToFormer = false;
            if (!connected) {
                return;
            }
            connected = false;
            commands.clear();
            replies.clear();
            List<Command<?>> lost = List.copyOf(outstanding);
            outstanding.clear();
            replies.add(() -> {
                connectedRun = "";
                Listener to = listener;
                if (to != null) {
                    to.lost();
                }
                lost.forEach(command -> command.future.completeExceptionally(new IllegalStateException("cut")));
            });
        }

        void cutSubscription() {
            silent = false;
            hearsFormer = false;
            if (!subscribed) {
                return;
            }
            subscribed = false;
            inbox.clear();
            inbox.add(to -> {
                knowsOfSubscription = false;
                wasToldOfSubscription = false;
                to.away();
            });
        }

        void reachable(boolean wanted) {
            reachable = wanted;
            if (!wanted) {
                cutCommands();
                cutSubscription();
            }
        }

        void expireCommands(long timeoutNanos) {
            long now = nowNanos.getAsLong();
            List<Command<?>> late = outstanding.stream()
                    .filter(command -> now - command.sentNanos >= timeoutNanos)
                    .toList();
            outstanding.removeAll(late);
            late.forEach(command -> command.future.completeExceptionally(new TimeoutException()));
        }

        private <T extends @Nullable Object> CompletableFuture<T> send(Supplier<T> body) {
            if (!connected) {
                return CompletableFuture.failedFuture(new IllegalStateException("not connected"));
            }
            Command<T> command = new Command<>(body);
            if (!silent) {
                commands.add(command);
            }
            outstanding.add(command);
            return command.future;
        }

        private <T extends @Nullable Object> CompletableFuture<T> write(Supplier<T> body) {
            boolean former = leadsToFormer;
            return send(() -> {
                boolean refused = refuses;
                refuses = false;
                if (former || refused) {
                    throw new ReadOnlyException();
                }
                return body.get();
            });
        }

        @Override
        public void start(Listener to) {
            listener = to;
        }

        @Override
        public void upkeep() {
            if (!up || frozen || !reachable) {
                return;
            }
            if (!connected && connectedRun.isEmpty()) {
                connected = true;
                connectedRun = runId;
            }
            if (!subscribed && !knowsOfSubscription) {
                subscribed = true;
                knowsOfSubscription = true;
                // An answer of the connection, which no bus can lose.
                inbox.add(to -> {
                    wasToldOfSubscription = true;
                    to.subscribed();
                });
            }
        }

        @Override
        @SuppressWarnings("NullAway") // the contract of Remote.get: null for nothing there
        public CompletableFuture<byte[]> get(String cache, String key) {
            boolean former = leadsToFormer;
            return send(() -> {
                Stored there = stored(former ? formerValues : values, key);
                return there == null ? null : there.bytes();
            });
        }

        @Override
        public CompletableFuture<@Nullable Long> epoch(String cache) {
            boolean former = leadsToFormer;
            return this.<@Nullable Long>send(() -> (former ? formerEpochs : epochs).get(cache));
        }

        @Override
        public CompletableFuture<Acquired> acquire(String cache, String key, long epoch, long token, long leaseMillis) {
            return write(() -> acquired(key, epoch, token, leaseMillis));
        }

        private Acquired acquired(String key, long epoch, long token, long leaseMillis) {
            Stored there = stored(key);
            long guard = there == null ? 0 : there.guardMillis;
            if (there != null && there.epoch == epoch) {
                if (there.type == SharedRecord.VALUE || there.type == SharedRecord.NOTHING) {
                    return new Acquired.Present(SharedRecord.parse(there.bytes()));
                }
                if (there.type == SharedRecord.LEASE) {
                    return new Acquired.Held(guard > nowMillis());
                }
            }
            long left = guard - nowMillis();
            long expires = nowMillis() + Math.max(leaseMillis, left);
            values.put(key, new Stored(SharedRecord.LEASE, epoch, token, guard, new byte[0], expires));
            return new Acquired.Granted(left > 0);
        }

        @Override
        public CompletableFuture<Boolean> fill(
                String cache, String key, byte[] expectedIdentity, byte type, long id, byte[] payload, long ttlMillis) {
            return write(() -> {
                Stored there = stored(key);
                if (there == null || !there.is(expectedIdentity)) {
                    return false;
                }
                long left = there.guardMillis - nowMillis();
                values.put(
                        key,
                        left > ttlMillis
                                ? tombstone(left)
                                : new Stored(
                                        type, there.epoch, id, there.guardMillis, payload, nowMillis() + ttlMillis));
                return true;
            });
        }

        @Override
        public void release(String cache, String key, byte[] identity) {
            var unused = write(() -> {
                Stored there = stored(key);
                if (there != null && there.is(identity)) {
                    long left = there.guardMillis - nowMillis();
                    if (left > 0) {
                        values.put(key, tombstone(left));
                    } else {
                        values.remove(key);
                    }
                }
                return true;
            });
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
            return write(() -> {
                Stored there = stored(key);
                boolean stored = (there == null || there.guardMillis <= nowMillis()) && ttlMillis >= guardMillis;
                SharedRecord as = SharedRecord.parse(Arrays.copyOf(identity, SharedRecord.HEAD_BYTES));
                if (as == null) {
                    throw new IllegalStateException();
                }
                values.put(
                        key,
                        stored
                                ? new Stored(
                                        as.type(),
                                        as.epoch(),
                                        as.id(),
                                        nowMillis() + guardMillis,
                                        payload,
                                        nowMillis() + ttlMillis)
                                : tombstone(guardMillis));
                return new PutReply(stored, publish(message));
            });
        }

        @Override
        public CompletableFuture<Long> evict(String cache, List<String> keys, long guardMillis, byte[] message) {
            return write(() -> {
                Runnable first = beforeEviction;
                beforeEviction = null;
                if (first != null) {
                    first.run();
                }
                keys.forEach(key -> values.put(key, tombstone(guardMillis)));
                return publish(message);
            });
        }

        @Override
        public CompletableFuture<Long> clear(String cache, long newEpoch, byte[] message) {
            return write(() -> {
                epochs.put(cache, newEpoch);
                return publish(message);
            });
        }

        @Override
        public CompletableFuture<Map<String, Long>> beat(Map<String, Long> proposedEpochs, byte[] message) {
            String run = connectedRun;
            return write(() -> {
                if (!epochsOfRun.equals(run)) {
                    epochs.clear();
                    epochsOfRun = run;
                }
                Map<String, Long> answer = new LinkedHashMap<>();
                proposedEpochs.forEach((cache, proposed) -> {
                    epochs.putIfAbsent(cache, proposed);
                    answer.put(cache, epochs.getOrDefault(cache, proposed));
                });
                publish(message);
                return answer;
            });
        }

        @Override
        public void acknowledge(String publisher, byte[] message) {
            for (Link link : links) {
                if (link.node.equals(publisher) && connected) {
                    boolean former = leadsToFormer;
                    var unused = send(() -> {
                        if (link.subscribed && link.hearsFormer == former) {
                            link.hear(message);
                        }
                        return true;
                    });
                }
            }
        }

        @Override
        public void close(byte[] lastMessage) {
            if (connected && !silent) {
                publish(lastMessage);
            }
            if (whenLeft != null) {
                whenLeft.run();
            }
            cutCommands();
            cutSubscription();
        }
    }
}
