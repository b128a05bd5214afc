package dev.weir.core.publish;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A broker in memory with the contract of a transport; the test says how each delivery ends. */
final class FakeTransport implements Transport {

    /** What the broker has, across transports. */
    static final class Broker {
        final List<String> log = new ArrayList<>();
        final Map<String, Opening> openings = new HashMap<>();
        final Map<String, CompletableFuture<Opening>> lateOpenings = new HashMap<>();
        final List<FakeTransport> transports = new ArrayList<>();
        final Set<String> noRoomFor = new HashSet<>();
        int failingCreations;

        Transport create() {
            if (failingCreations > 0) {
                failingCreations--;
                throw new IllegalStateException("no such host");
            }
            FakeTransport made = new FakeTransport(this);
            transports.add(made);
            return made;
        }

        FakeTransport current() {
            return transports.getLast();
        }
    }

    record Handed(Event event, Delivery delivery) {
        String text() {
            return FakeTransport.text(event);
        }
    }

    final List<Handed> handed = new ArrayList<>();
    private final Broker broker;
    boolean aborted;

    private FakeTransport(Broker broker) {
        this.broker = broker;
    }

    static String text(Event event) {
        return new String(event.value(), StandardCharsets.UTF_8);
    }

    @Override
    public CompletableFuture<Opening> open(String topic) {
        CompletableFuture<Opening> late = broker.lateOpenings.get(topic);
        return late != null
                ? late
                : CompletableFuture.completedFuture(broker.openings.getOrDefault(topic, new Opening.Opened()));
    }

    @Override
    public boolean send(Event event, Delivery delivery) {
        if (broker.noRoomFor.contains(event.topic())) {
            return false;
        }
        if (aborted) {
            delivery.returned(new IllegalStateException("closed"), false);
        } else {
            handed.add(new Handed(event, delivery));
        }
        return true;
    }

    /** Writes the oldest ones. */
    void acknowledge(int count) {
        for (int i = 0; i < count; i++) {
            Handed oldest = handed.removeFirst();
            broker.log.add(oldest.text());
            oldest.delivery().acknowledged(0, broker.log.size());
        }
    }

    /** Writes the oldest ones, and nobody hears of it. */
    void write(int count) {
        handed.subList(0, count).forEach(each -> broker.log.add(each.text()));
    }

    void acknowledgeAll() {
        acknowledge(handed.size());
    }

    void refuse(int index, Exception cause) {
        handed.remove(index).delivery().refused(cause);
    }

    /** The oldest one comes back, and with it all others. */
    void fail(Exception cause, boolean blamed) {
        aborted = true;
        handed.removeFirst().delivery().returned(cause, blamed);
        returnAll();
    }

    @Override
    public void abort() {
        aborted = true;
        returnAll();
    }

    private void returnAll() {
        List<Handed> left = new ArrayList<>(handed);
        handed.clear();
        left.forEach(each -> each.delivery().returned(new IllegalStateException("aborted"), false));
    }
}
