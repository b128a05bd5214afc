package dev.weir.bench.outbox;

import dev.weir.core.outbox.KafkaTarget;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.OutboxSchema;
import dev.weir.core.outbox.Outcome;
import dev.weir.core.outbox.Relay;
import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.outbox.Target;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.PublisherConfig;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Weir's outbox and relay, with their defaults. */
final class WeirSubject implements Subject {
    private final OutboxConfig config = OutboxConfig.defaults();
    private final Outbox outbox = new Outbox(config);
    private final DataSource database;
    private final Target target;
    private final byte[] payload;
    private @Nullable Relay relay;

    WeirSubject(DataSource database, String bootstrap, Lags lags, int bytes) throws Exception {
        this.database = database;
        this.payload = new byte[bytes];
        this.target = new Watched(
                new KafkaTarget(
                        KafkaTransports.of(Map.of("bootstrap.servers", bootstrap), PublisherConfig.defaults()),
                        1_000_000),
                lags);
        try (Connection connection = database.getConnection()) {
            OutboxSchema.create(connection, config);
        }
    }

    @Override
    public void commit(int number, String key) throws Exception {
        byte[] value = payload.clone();
        ByteBuffer.wrap(value).putInt(number);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Subject.book(connection, number);
            var ignored = outbox.add(connection, Event.of("outbox-weir", key, value));
            connection.commit();
        }
        outbox.committed();
    }

    @Override
    public void start() {
        relay = Relay.start(config, outbox, database, target);
    }

    @Override
    public void close() {
        Relay running = relay;
        if (running != null) {
            running.close();
        }
    }

    /** Notes when a batch's events were acknowledged: when the relay learns of it. */
    private record Watched(Target target, Lags lags) implements Target {
        @Override
        public Batch begin(List<StoredEvent> events) {
            Batch batch = target.begin(events);
            return new Batch() {
                @Override
                public boolean await(Duration atMost) throws InterruptedException {
                    return batch.await(atMost);
                }

                @Override
                public void abort() {
                    batch.abort();
                }

                @Override
                public List<Outcome> outcomes() {
                    List<Outcome> outcomes = batch.outcomes();
                    for (int i = 0; i < outcomes.size(); i++) {
                        if (outcomes.get(i) instanceof Outcome.Delivered) {
                            lags.acknowledged(
                                    ByteBuffer.wrap(events.get(i).event().value())
                                            .getInt());
                        }
                    }
                    return outcomes;
                }
            };
        }

        @Override
        public void close() {
            target.close();
        }
    }
}
