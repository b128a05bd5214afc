package dev.weir.starter.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.watch.RequestWatch;
import dev.weir.core.watch.WatchedPool;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.pool.PoolAutoConfiguration;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class WatchAutoConfigurationTest {

    private static final AutoConfigurations OURS = AutoConfigurations.of(
            WeirAutoConfiguration.class,
            DataSourceAutoConfiguration.class,
            PoolAutoConfiguration.class,
            WatchAutoConfiguration.class);

    private final WebApplicationContextRunner web = new WebApplicationContextRunner()
            .withConfiguration(OURS)
            .withPropertyValues("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none");

    @Test
    void offChangesNothing() {
        web.run(context -> {
            assertThat(context).doesNotHaveBean(RequestWatch.class);
            assertThat(context.getBean(HikariDataSource.class)).isNotInstanceOf(WatchedPool.class);
            assertThat(context.getBean(WatchFeature.class).status()).isEqualTo(FeatureStatus.off());
        });
    }

    @Test
    void aPoolIsReplacedWithItsSettingsAndClosedWithTheContext() {
        WatchedPool[] pool = new WatchedPool[1];
        web.withPropertyValues(
                        "weir.watch.enabled=true",
                        "weir.pool.enabled=true",
                        "weir.pool.size=7",
                        "spring.datasource.username=somebody",
                        "spring.datasource.hikari.pool-name=mine")
                .run(context -> {
                    pool[0] = (WatchedPool) context.getBean(HikariDataSource.class);
                    assertThat(pool[0].getJdbcUrl()).isEqualTo("jdbc:postgresql://127.0.0.1:1/none");
                    assertThat(pool[0].getCredentials().getUsername()).isEqualTo("somebody");
                    assertThat(pool[0].getPoolName()).isEqualTo("mine");
                    assertThat(pool[0].getMaximumPoolSize()).isEqualTo(7);
                    assertThat(pool[0].isClosed()).isFalse();
                });
        assertThat(pool[0].isClosed()).isTrue();
    }

    @Test
    void aPoolOfAnotherClassStaysAndIsNamed() {
        web.withUserConfiguration(OwnPool.class)
                .withPropertyValues("weir.watch.enabled=true")
                .run(context -> {
                    assertThat(context.getBean(HikariDataSource.class)).isInstanceOf(OwnPool.Special.class);
                    assertThat(context.getBean(WatchFeature.class).status().warnings())
                            .anyMatch(warning -> warning.startsWith("The connections of special are not watched"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPool {

        static final class Special extends HikariDataSource {}

        @Bean
        HikariDataSource special() {
            return new Special();
        }
    }

    @Test
    void itWorksWithoutPoolsRedisAndMvc() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, WatchAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(
                        HikariDataSource.class,
                        RedisClient.class,
                        io.lettuce.core.event.command.CommandListener.class,
                        org.springframework.web.servlet.DispatcherServlet.class,
                        io.micrometer.core.instrument.MeterRegistry.class,
                        io.micrometer.core.instrument.binder.MeterBinder.class))
                .withPropertyValues("weir.watch.enabled=true")
                .run(context -> assertThat(
                                context.getBean(WatchFeature.class).status().state())
                        .isEqualTo(State.ON));
    }

    @Test
    void saysThatItNeedsServlets() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, WatchAutoConfiguration.class))
                .withPropertyValues("weir.watch.enabled=true")
                .run(context -> assertThat(
                                context.getBean(WatchFeature.class).status().state())
                        .isEqualTo(State.UNAVAILABLE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slow.sql=-1s | weir.watch.slow cannot be used: For the slow statement -1s was given: give 0s to 1d.",
                "slow.request=2d | weir.watch.slow cannot be used: For the slow request 2d was given: give 0s to 1d.",
                "many.beans=-1 | weir.watch.many cannot be used: For the beans -1 was given: give 0 for no bound, or more.",
                "max-fingerprints=0 | weir.watch cannot be used: 0 fingerprints were given: give 1 to 100000.",
            })
    void anAbsurdSettingStopsTheStart(String setting, String sentence) {
        web.withPropertyValues("weir.watch.enabled=true", "weir.watch." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessage(sentence));
    }
}
