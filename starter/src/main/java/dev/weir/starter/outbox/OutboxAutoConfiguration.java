package dev.weir.starter.outbox;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.outbox.HandlerTarget;
import dev.weir.core.outbox.KafkaTarget;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.Target;
import dev.weir.starter.ConditionalOnSwitch;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.publish.KafkaClient;
import dev.weir.starter.publish.PublishAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** {@code weir.outbox}, where Spring's JDBC support and a data source are there. */
@AutoConfiguration(
        after = {WeirAutoConfiguration.class, PublishAutoConfiguration.class},
        afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@EnableConfigurationProperties(OutboxProperties.class)
public final class OutboxAutoConfiguration {

    /** The outbox and its relay. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.outbox.enabled")
    @ConditionalOnClass(DataSourceUtils.class)
    @ConditionalOnBean(DataSource.class)
    static class On {

        @Bean
        static CommittedTransactions weirCommittedTransactions() {
            return new CommittedTransactions();
        }

        @Bean
        Outboxes weirOutboxes(
                OutboxProperties properties, ListableBeanFactory beans, ObjectProvider<OutboxRelay> outboxes) {
            return new Outboxes(properties, database(properties.dataSource(), beans), outboxes);
        }

        private static DataSource database(@Nullable String name, ListableBeanFactory beans) {
            try {
                DataSource found = name == null
                        ? beans.getBeanProvider(DataSource.class).getIfUnique()
                        : beans.getBean(name, DataSource.class);
                if (found != null) {
                    return found;
                }
            } catch (NoSuchBeanDefinitionException unknown) {
                throw noSuchBean(String.valueOf(name), beans);
            }
            throw noSuchBean("", beans);
        }

        private static SettingException noSuchBean(String name, ListableBeanFactory beans) {
            return new SettingException(
                    "weir.outbox.data-source",
                    name,
                    "the name of a data source, one of "
                            + String.join(", ", beans.getBeanNamesForType(DataSource.class)),
                    "Name the one that your transactions are on, or mark it as primary.");
        }

        /** After migrations, which may make its tables. */
        @Bean
        @DependsOnDatabaseInitialization
        OutboxRelay weirOutboxRelay(
                OutboxProperties properties,
                Outboxes outboxes,
                ObjectProvider<Target> own,
                ObjectProvider<KafkaClient> kafka,
                ListableBeanFactory beans) {
            Target given = own.getIfAvailable();
            if (given != null) {
                return outboxes.make("events", properties.table(), Integer.MAX_VALUE, () -> new BorrowedTarget(given));
            }
            return switch (properties.target()) {
                case KAFKA -> toKafka(properties, outboxes, kafka.getIfAvailable());
                case HANDLERS ->
                    outboxes.make("events", properties.table(), Integer.MAX_VALUE, handlers(properties, beans));
                case NONE -> outboxes.make("events", properties.table(), Integer.MAX_VALUE, null);
            };
        }

        private static OutboxRelay toKafka(
                OutboxProperties properties, Outboxes outboxes, @Nullable KafkaClient kafka) {
            if (kafka == null) {
                throw new SettingException(
                        "weir.outbox.target",
                        "kafka",
                        "handlers or none, since Kafka's client is not on the class path",
                        "Add org.apache.kafka:kafka-clients, or choose another target.");
            }
            var transports = kafka.transports();
            return outboxes.make(
                    "events",
                    properties.table(),
                    kafka.maxEventBytes(),
                    () -> new KafkaTarget(transports, kafka.maxEventBytes()));
        }

        private static Supplier<Target> handlers(OutboxProperties properties, ListableBeanFactory beans) {
            if (beans.getBeanNamesForType(EventHandler.class).length == 0) {
                throw new SettingException(
                        "weir.outbox.target",
                        "handlers",
                        "kafka or none, since there is no bean of type EventHandler",
                        "Declare handlers as beans, each named as the topic it handles, or choose another target.");
            }
            return () -> {
                Map<String, EventHandler> handlers = beans.getBeansOfType(EventHandler.class);
                return new HandlerTarget(handlers, properties.handlerConcurrency());
            };
        }

        @Bean
        @ConditionalOnMissingBean
        Outbox weirOutbox(OutboxRelay weirOutboxRelay) {
            return weirOutboxRelay.outbox();
        }
    }

    /** Counts where there is a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.outbox.enabled")
    @ConditionalOnClass({MeterBinder.class, DataSourceUtils.class})
    static class Metrics {

        @Bean
        MeterBinder weirOutboxMeters(ObjectProvider<OutboxRelay> relays) {
            return new OutboxMeters(relays.orderedStream().toList());
        }
    }

    /** {@code /actuator/weiroutbox}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch("weir.outbox.enabled")
    @ConditionalOnClass({WebEndpoint.class, ConditionalOnAvailableEndpoint.class, DataSourceUtils.class})
    static class Operators {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        OutboxEndpoint weirOutboxEndpoint(ObjectProvider<OutboxRelay> relays) {
            return new OutboxEndpoint(relays.orderedStream().toList());
        }
    }

    @Bean
    OutboxFeature weirOutboxFeature(OutboxProperties properties, ObjectProvider<OutboxRelay> relays) {
        return new OutboxFeature(properties, relays.orderedStream().toList());
    }
}
