package dev.weir.core.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Events through one idempotent producer.
 *
 * <p>The producer is ended by the first delivery that comes back, inside that delivery's callback: callbacks run on the thread that
 * sends, and a close called there lets it send nothing more. What is already under way follows the failed batch by its sequence
 * number, and the broker refuses it unless it has the failed one too.
 */
final class KafkaTransport implements Transport {
    private final Producer<byte[], byte[]> producer;
    private final Executor openers;
    private volatile boolean aborted;

    KafkaTransport(Producer<byte[], byte[]> producer, Executor openers) {
        this.producer = producer;
        this.openers = openers;
    }

    @Override
    public CompletableFuture<Opening> open(String topic) {
        CompletableFuture<Opening> answer = new CompletableFuture<>();
        try {
            openers.execute(() -> {
                Opening opening = ask(topic);
                if (!aborted) {
                    answer.complete(opening);
                }
            });
        } catch (RejectedExecutionException closed) {
            answer.complete(new Opening.Unreachable("the client is closed"));
        }
        return answer;
    }

    /** Waits for the topic's metadata, max.block.ms at most. */
    private Opening ask(String topic) {
        try {
            return producer.partitionsFor(topic).isEmpty()
                    ? new Opening.Absent("it has no partitions")
                    : new Opening.Opened();
        } catch (TimeoutException late) {
            return late.getCause() == null ? new Opening.Unreachable(Sentences.open(late)) : ofTopic(late.getCause());
        } catch (RuntimeException failed) {
            return ofTopic(failed);
        }
    }

    private static Opening ofTopic(Throwable cause) {
        if (cause instanceof UnknownTopicOrPartitionException) {
            return new Opening.Absent("the broker does not know it");
        }
        if (cause instanceof InvalidTopicException || cause instanceof AuthorizationException) {
            return new Opening.Denied(Sentences.open(cause));
        }
        return new Opening.Unreachable(Sentences.open(cause));
    }

    @Override
    public boolean send(Event event, Delivery delivery) {
        try {
            var ignored = producer.send(record(event), new Ending(delivery));
            return true;
        } catch (TimeoutException noRoom) {
            return false;
        } catch (InterruptException interrupted) {
            abort();
            delivery.returned(interrupted, false);
            return true;
        } catch (IllegalStateException closed) {
            abort();
            delivery.returned(closed, false);
            return true;
        } catch (RuntimeException refused) {
            delivery.refused(refused);
            return true;
        }
    }

    private static ProducerRecord<byte[], byte[]> record(Event event) {
        UUID id = Objects.requireNonNull(event.id());
        List<Header> headers = new ArrayList<>(1 + event.headers().size());
        headers.add(new RecordHeader(Event.ID_HEADER, Event.idToBytes(id)));
        for (Map.Entry<String, byte[]> header : event.headers().entrySet()) {
            headers.add(new RecordHeader(header.getKey(), header.getValue()));
        }
        return new ProducerRecord<>(event.topic(), null, null, event.key(), event.value(), headers);
    }

    @Override
    public void abort() {
        if (!aborted) {
            aborted = true;
            producer.close(Duration.ZERO);
        }
    }

    private void ended(Delivery delivery, @Nullable RecordMetadata metadata, @Nullable Exception failure) {
        if (failure == null) {
            RecordMetadata written = Objects.requireNonNull(metadata);
            delivery.acknowledged(written.partition(), written.hasOffset() ? written.offset() : -1);
        } else if (isNotTaken(failure)) {
            abort();
            delivery.returned(failure, false);
        } else if (isForGood(failure)) {
            delivery.refused(failure);
        } else {
            boolean collateral = aborted;
            abort();
            delivery.returned(failure, !collateral && !(failure instanceof RetriableException));
        }
    }

    private static boolean isNotTaken(Exception failure) {
        return failure instanceof TimeoutException;
    }

    private static boolean isForGood(Exception failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof InvalidTopicException
                || failure instanceof InvalidTimestampException
                || failure instanceof PolicyViolationException
                || failure instanceof AuthorizationException
                || failure instanceof UnsupportedForMessageFormatException
                || failure instanceof org.apache.kafka.common.InvalidRecordException;
    }

    /** Named, not a lambda: the client keeps one for each event until it ends. */
    private final class Ending implements Callback {
        private final Delivery delivery;

        private Ending(Delivery delivery) {
            this.delivery = delivery;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
            ended(delivery, metadata, failure);
        }
    }
}
