package dev.weir.core.cache;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Nodes with one cache each over a {@link SimulatedRedis}, in the test's thread; everything is delivered at once unless held up. */
final class Cluster implements Waits {
    static final Duration BOUND = Duration.ofSeconds(2);

    static final CachesConfig COMMON = CachesConfig.defaults().withStalenessBound(BOUND);
    private static final ValueCodec<String> TEXT = ValueCodec.of(
            text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));

    private final List<Member> members = new ArrayList<>();
    private final SimulatedRedis redis = new SimulatedRedis(() -> this.nowNanos);
    private long nowNanos;
    private long ids;

    /** One node. */
    record Member(SimulatedRedis.Link link, LayeredCaches caches, LayeredCache<String, String> cache) {}

    SimulatedRedis redis() {
        return redis;
    }

    Member join(String id, CacheConfig config) {
        return join(id, config, LoadGuard.none());
    }

    Member join(String id, CacheConfig config, LoadGuard guard) {
        SimulatedRedis.Link link = redis.link(id);
        Node node = new Node(id, link, COMMON, () -> nowNanos, () -> ++ids);
        LayeredCaches caches = new LayeredCaches(COMMON, node, guard, () -> nowNanos, this, () -> 0, Runnable::run);
        link.start(node);
        Member member = new Member(link, caches, caches.create(config, KeyEncoder.text(), TEXT));
        members.add(member);
        return member;
    }

    /** Lets time go by, with the nodes' upkeep. */
    void pass(Duration time) {
        long end = nowNanos + time.toNanos();
        while (nowNanos < end) {
            nowNanos = Math.min(end, nowNanos + COMMON.tickNanos());
            members.forEach(
                    member -> member.link.expireCommands(COMMON.commandTimeout().toNanos()));
            members.forEach(member -> member.caches.tick());
            deliver();
        }
    }

    /** How much time goes by while the caller waits. */
    Duration timeOf(Runnable call) {
        long began = nowNanos;
        call.run();
        return Duration.ofNanos(nowNanos - began);
    }

    void passWithoutUpkeep(Duration time) {
        nowNanos += time.toNanos();
    }

    /** Commands, their replies and the messages that follow from them. */
    void deliver() {
        exchange();
        for (Member member : members) {
            while (member.link.hasMessage()) {
                member.link.deliverMessage();
                exchange();
            }
        }
    }

    private void exchange() {
        for (Member member : members) {
            while (member.link.hasCommand()) {
                member.link.executeNext();
            }
            while (member.link.hasReply()) {
                member.link.deliverReply();
            }
        }
    }

    /** A caller who waits sees replies; messages stay on their way while that is enough. */
    @Override
    public <T extends @Nullable Object> T get(CompletableFuture<T> future, long timeoutNanos)
            throws ExecutionException, TimeoutException, InterruptedException {
        exchange();
        if (!future.isDone()) {
            deliver();
        }
        long deadline = nowNanos + timeoutNanos;
        while (!future.isDone() && nowNanos < deadline) {
            pass(Duration.ofNanos(Math.min(COMMON.tickNanos(), deadline - nowNanos)));
        }
        if (!future.isDone()) {
            throw new TimeoutException();
        }
        return future.get();
    }

    @Override
    public void pause(long nanos) {
        nowNanos += nanos;
    }
}
