package dev.weir.store.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway's topic: made where it is missing, used as it is where someone else has made it, whether or not this one may make topics. */
final class Topic {

    private static final Logger log = LoggerFactory.getLogger(Topic.class);
    private static final Duration ADMIN_TIME = Duration.ofSeconds(10);

    /** Kafka, as far as it is needed here; each may fail in any way. */
    interface Broker {

        /** Makes the topic. */
        void make() throws ExecutionException, InterruptedException, TimeoutException;

        /** Returns if the topic is there. */
        void find() throws ExecutionException, InterruptedException, TimeoutException;
    }

    private final Broker broker;
    private boolean warned;

    Topic(Broker broker) {
        this.broker = broker;
    }

    /** The topic of these settings. */
    static Topic of(GatewaySettings settings) {
        return new Topic(new KafkaBroker(settings.client(), settings.topic(), settings.partitions()));
    }

    /** Whether the topic is there now; blocks for up to half a minute. A failure is logged the first time. */
    boolean isReady() throws InterruptedException {
        try {
            broker.make();
            return true;
        } catch (ExecutionException | TimeoutException | RuntimeException failed) {
            Throwable why =
                    failed instanceof ExecutionException && failed.getCause() != null ? failed.getCause() : failed;
            return why instanceof TopicExistsException || isThere(why);
        }
    }

    private boolean isThere(Throwable notMade) throws InterruptedException {
        try {
            broker.find();
            log.info("Kafka does not let the gateway make its topic, which is there already: {}", notMade.toString());
            return true;
        } catch (ExecutionException | TimeoutException | RuntimeException notFound) {
            if (!warned) {
                warned = true;
                log.warn(
                        "Kafka does not take the gateway's topic yet; messages wait in the outbox: {}",
                        notMade.toString());
            }
            return false;
        }
    }

    private record KafkaBroker(Map<String, String> client, String topic, int partitions) implements Broker {

        @Override
        public void make() throws ExecutionException, InterruptedException, TimeoutException {
            try (Admin admin = Admin.create(new HashMap<>(client))) {
                var wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
                admin.createTopics(List.of(wanted)).all().get(ADMIN_TIME.toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void find() throws ExecutionException, InterruptedException, TimeoutException {
            try (Admin admin = Admin.create(new HashMap<>(client))) {
                admin.describeTopics(List.of(topic)).allTopicNames().get(ADMIN_TIME.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }
}
