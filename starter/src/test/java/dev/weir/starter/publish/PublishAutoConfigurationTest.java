package dev.weir.starter.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.Publication;
import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.publish.SpooledPublisher;
import dev.weir.core.publish.Transport;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** {@code weir.publish} without a broker: nobody listens where the settings point to. */
class PublishAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, PublishAutoConfiguration.class));

    private final ApplicationContextRunner on = runner.withPropertyValues(
            "weir.publish.enabled=true", "weir.publish.drain=0s", "weir.publish.kafka.bootstrap.servers=127.0.0.1:1");

    private static FeatureStatus status(ApplicationContext context) {
        return context.getBean(PublishFeature.class).status();
    }

    @Test
    void offIsAnotherWordForFalse() {
        on.withPropertyValues("weir.publish.enabled=off").run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(BatchingPublisher.class);
            assertThat(status(context).state()).isEqualTo(State.OFF);
        });
    }

    @Test
    void offThereIsNoPublisherAndNothingIsAskedFor() {
        runner.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(BatchingPublisher.class);
            assertThat(status(context).state()).isEqualTo(State.OFF);
        });
    }

    @Test
    void onThereIsAPublisherWithTheSettingsGiven() {
        on.withPropertyValues("weir.publish.buffer-events=2", "weir.publish.batch-events=1")
                .run(context -> {
                    BatchingPublisher publisher = context.getBean(BatchingPublisher.class);
                    assertThat(publisher.offer(Event.unkeyed("t", new byte[1]))).isTrue();
                    assertThat(publisher.offer(Event.unkeyed("t", new byte[1]))).isTrue();

                    assertThat(publisher.publish(Event.unkeyed("t", new byte[1])))
                            .isInstanceOf(Publication.BufferFull.class);

                    assertThat(status(context).state()).isEqualTo(State.ON);
                    assertThat(status(context).settings())
                            .containsEntry("servers", "127.0.0.1:1")
                            .containsEntry("buffer", "2 of 2 events");
                    assertThat(status(context).warnings()).anyMatch(warning -> warning.contains("100% full"));
                });
    }

    @Test
    void theServersAreSpringsWhereNothingElseIsSaid() {
        runner.withPropertyValues(
                        "weir.publish.enabled=true",
                        "weir.publish.drain=0s",
                        "spring.kafka.bootstrap-servers=127.0.0.1:1,127.0.0.1:2")
                .run(context ->
                        assertThat(status(context).settings()).containsEntry("servers", "127.0.0.1:1,127.0.0.1:2"));
    }

    @Test
    void withoutServersTheStartFails() {
        runner.withPropertyValues("weir.publish.enabled=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessageContaining("Nothing says where Kafka is"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "kafka.acks=1 | acks is 1; only all",
                "kafka.batch.size=many | batch.size",
                "kafka.bootstrap.servers=nobody | bootstrap.servers",
                "kafka.transactional.id=x | transactional.id cannot be set",
                "drain=-1s | weir.publish.drain is '-1000ms'",
                "linger=2m | linger",
                "batch-events=20000 | batch-events",
                "max-event-bytes=-5GB | weir.publish.max-event-bytes is '-5368709120B'",
                "max-event-bytes=3GB | weir.publish.max-event-bytes",
                "spool.max-bytes=1KB | spool-bytes",
                "spool.folder= | weir.publish.spool.folder is ''",
            })
    void whatCannotBeUsedStopsTheStartWithASentence(String setting, String sentence) {
        on.withPropertyValues("weir.publish." + setting)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(sentence));
    }

    @Test
    void aNameThatKafkasClientDoesNotKnowIsAWarning() {
        on.withPropertyValues("weir.publish.kafka.lingre.ms=5")
                .run(context -> assertThat(status(context).warnings())
                        .anyMatch(warning -> warning.contains("no setting lingre.ms")));
    }

    @Test
    void passwordsAreNotPrinted() {
        on.withPropertyValues("weir.publish.kafka.ssl.key.password=secret")
                .run(context -> assertThat(
                                context.getBean(PublishProperties.class).toString())
                        .doesNotContain("secret"));
    }

    @Test
    void withoutKafkasClientItIsUnavailable() {
        on.withClassLoader(new FilteredClassLoader(KafkaProducer.class.getPackageName(), "org.apache.kafka"))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(BatchingPublisher.class);
                    assertThat(status(context).state()).isEqualTo(State.UNAVAILABLE);
                });
    }

    @Test
    void anApplicationsOwnPublisherStays() {
        on.withBean(BatchingPublisher.class, PublishAutoConfigurationTest::own)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(BatchingPublisher.class));
    }

    private static BatchingPublisher own() {
        return BatchingPublisher.start(PublisherConfig.defaults(), NoTransport::new);
    }

    @Test
    void theSpoolNeedsAFolder(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        on.withPropertyValues("weir.publish.spool.folder=" + file)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessageContaining("weir.publish.spool.folder is '" + file + "'"));
    }

    @Test
    void whatAStopLeavesOverIsThereAtTheNextStart(@TempDir Path folder) {
        var spooling = on.withPropertyValues("weir.publish.spool.folder=" + folder);
        spooling.run(context -> {
            assertThat(context.getBean(BatchingPublisher.class).offer(Event.of("t", "k", new byte[] {7})))
                    .isTrue();
            context.getBean(SpooledPublisher.class)
                    .publish(Event.of("t", "k", new byte[] {8}))
                    .join();
        });
        spooling.run(context -> {
            assertThat(context.getBean(BatchingPublisher.class).stats().accepted())
                    .isEqualTo(1);
            assertThat(context.getBean(SpooledPublisher.class).waiting()).isEqualTo(1);
        });
    }

    @Test
    void whatIsCountedIsMetered() {
        on.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            var registry = context.getBean(SimpleMeterRegistry.class);
            context.getBean(PublishMeters.class).bindTo(registry);
            context.getBean(BatchingPublisher.class).offer(Event.unkeyed("t", new byte[2_000_000]));

            assertThat(Objects.requireNonNull(registry.find("weir.publish.refused")
                                    .tag("reason", "oversized")
                                    .functionCounter())
                            .count())
                    .isEqualTo(1);
        });
    }

    private static final class NoTransport implements Transport {
        @Override
        public CompletableFuture<Opening> open(String topic) {
            return CompletableFuture.completedFuture(new Opening.Unreachable("nobody is there"));
        }

        @Override
        public boolean send(Event event, Delivery delivery) {
            return false;
        }

        @Override
        public void abort() {}
    }
}
