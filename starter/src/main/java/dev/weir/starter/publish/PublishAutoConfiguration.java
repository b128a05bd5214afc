package dev.weir.starter.publish;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.LeftoverSpool;
import dev.weir.core.publish.SpooledPublisher;
import dev.weir.core.publish.spool.SpoolException;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** {@code weir.publish}, where Kafka's client is there. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@EnableConfigurationProperties(PublishProperties.class)
public final class PublishAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(PublishAutoConfiguration.class);

    /** Kafka's settings, for the outbox as well. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaProducer.class)
    static class Client {

        @Bean
        KafkaClient weirKafkaClient(PublishProperties properties, Environment environment) {
            return new KafkaClient(properties.kafka(), properties.config(), Binder.get(environment));
        }
    }

    /** The publishers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.publish.enabled")
    @ConditionalOnClass(KafkaProducer.class)
    static class Publishers {

        private static final Duration RESTORE_TIME = Duration.ofSeconds(10);

        /** The publisher is the first to have what the last run left over: whoever publishes needs it made before. */
        @Bean
        @ConditionalOnMissingBean
        BatchingPublisher weirPublisher(
                PublishProperties properties, KafkaClient kafka, ObjectProvider<LeftoverSpool> leftovers)
                throws InterruptedException {
            BatchingPublisher publisher;
            try {
                publisher = BatchingPublisher.start(properties.config(), kafka.transports());
            } catch (KafkaException wrong) {
                throw KafkaClient.unusable(wrong);
            }
            LeftoverSpool kept = leftovers.getIfAvailable();
            if (kept != null) {
                restore(kept, publisher);
            }
            return publisher;
        }

        private static void restore(LeftoverSpool kept, BatchingPublisher publisher) throws InterruptedException {
            try {
                int count = kept.restore(publisher, RESTORE_TIME);
                if (count > 0) {
                    LOG.info("{} events that were kept at the last stop are published.", count);
                }
            } catch (IOException unreadable) {
                publisher.close();
                throw unusable("what was kept there", unreadable);
            }
        }

        @Bean
        PublisherLifecycle weirPublisherLifecycle(
                PublishProperties properties,
                BatchingPublisher publisher,
                ObjectProvider<LeftoverSpool> leftovers,
                ObjectProvider<SpooledPublisher> spooled) {
            return new PublisherLifecycle(
                    publisher, leftovers.getIfAvailable(), spooled.getIfAvailable(), properties.drain());
        }
    }

    /** What is kept on disk. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.publish.enabled")
    @ConditionalOnProperty("weir.publish.spool.folder")
    @ConditionalOnClass(KafkaProducer.class)
    static class Spools {

        @Bean
        LeftoverSpool weirPublishLeftovers(PublishProperties properties) {
            try {
                return LeftoverSpool.open(
                        folder(properties).resolve("leftovers"),
                        properties.spool().config());
            } catch (IOException | SpoolException refused) {
                throw unusable(folder(properties).toString(), refused);
            }
        }

        @Bean
        @ConditionalOnMissingBean
        SpooledPublisher weirSpooledPublisher(PublishProperties properties, KafkaClient kafka) {
            try {
                return SpooledPublisher.start(
                        folder(properties).resolve("events"),
                        properties.spool().config(),
                        properties.config(),
                        kafka.transports());
            } catch (IOException | SpoolException refused) {
                throw unusable(folder(properties).toString(), refused);
            } catch (KafkaException wrong) {
                throw KafkaClient.unusable(wrong);
            }
        }

        private static Path folder(PublishProperties properties) {
            String folder = Objects.requireNonNull(properties.spool().folder());
            try {
                return Path.of(folder);
            } catch (InvalidPathException malformed) {
                throw unusable(folder, malformed);
            }
        }
    }

    private static SettingException unusable(String folder, Exception refused) {
        return new SettingException(
                "weir.publish.spool.folder",
                folder,
                "a folder that this process alone can read and write (" + refused.getMessage() + ")",
                "Name another one, or remove the setting to keep nothing on disk.");
    }

    /** Counts where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.publish.enabled")
    @ConditionalOnClass({MeterBinder.class, KafkaProducer.class})
    static class Metrics {

        @Bean
        MeterBinder weirPublishMeters(
                ObjectProvider<BatchingPublisher> publisher, ObjectProvider<SpooledPublisher> spooled) {
            return new PublishMeters(publisher.getIfAvailable(), spooled.getIfAvailable());
        }
    }

    @Bean
    PublishFeature weirPublishFeature(
            PublishProperties properties,
            ObjectProvider<KafkaClient> kafka,
            ObjectProvider<BatchingPublisher> publisher,
            ObjectProvider<SpooledPublisher> spooled) {
        return new PublishFeature(
                properties, kafka.getIfAvailable(), publisher.getIfAvailable(), spooled.getIfAvailable());
    }
}
